// What keeps a question from its answer: values that are refused, limits, a lost connection.

import type { Fault } from "../api";
import { count, named, say } from "../language";
import { address, go, place, replaced } from "../place";
import { answers, askAgain, countdown, isOffline, problem } from "../session";

function Repair({ fault }: { fault: Fault }) {
  const { kind, pairs } = place.value;
  const { parameter, did_you_mean: better, code } = fault;
  const given = pairs.filter(([name]) => name === parameter);
  if (given.length === 0) return null;
  const renamed = pairs.map(([name, text]) => [name === parameter ? (better ?? name) : name, text] as const);
  const revalued = pairs.map(([name, text]) => [name, name === parameter && text === fault.value ? (better ?? text) : text] as const);
  return (
    <span class="repair">
      {better && (
        <button onClick={() => go(address(kind, code === "unknown-parameter" ? renamed : revalued))}>{say("problem.instead", { value: better })}</button>
      )}
      <button onClick={() => go(address(kind, replaced(parameter, [])))}>{say("problem.remove", { name: named("name", parameter) })}</button>
    </span>
  );
}

export function Trouble() {
  if (isOffline.value) {
    return (
      <div class="trouble" role="alert">
        {say(answers.value.length > 0 ? "problem.offline" : "problem.offline.first")} <button onClick={() => void askAgain()}>{say("problem.again")}</button>
      </div>
    );
  }
  const reason = problem.value;
  if (reason === null) return null;
  if (countdown.value > 0) {
    const key = reason.code === "rate-limited" ? "problem.wait" : "problem.busy";
    return (
      <div class="trouble">
        <span aria-live="off">{count(key, String(countdown.value))}</span>{" "}
        <button onClick={() => void askAgain()}>{say("problem.again")}</button>
        <p class="hidden" role="alert">
          {reason.detail}
        </p>
      </div>
    );
  }
  return (
    <div class="trouble" role="alert">
      <h2>{reason.errors.length > 0 ? say("problem.title") : reason.title}</h2>
      {reason.errors.length === 0 && <p>{reason.detail}</p>}
      <ul>
        {reason.errors.map((fault) => (
          <li key={`${fault.parameter} ${fault.code} ${fault.value}`}>
            <code>
              {fault.parameter}
              {fault.value === undefined ? "" : `=${fault.value}`}
            </code>{" "}
            {fault.detail} <Repair fault={fault} />
          </li>
        ))}
      </ul>
      {reason.errors.length === 0 && (
        <p>
          <button onClick={() => void askAgain()}>{say("problem.again")}</button>{" "}
          {reason.request_id && <span class="soft">{say("problem.id", { id: reason.request_id })}</span>}
        </p>
      )}
    </div>
  );
}
