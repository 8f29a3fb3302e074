"use strict";
// Draws the reference from /openapi.json. Texts become text nodes, never markup.

const at = (id) => document.getElementById(id);
// The page and the description are in one language, the one that the browser asked for.
const language = document.documentElement.lang;
const say = (english, french) => (language === "fr" ? french : english);

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Words between backticks become code.
function prose(text) {
  return String(text).split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
}

function resolve(api, value) {
  if (!value || !value.$ref) return value;
  return value.$ref.slice(2).split("/").reduce((found, step) => found[step], api);
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  const type = [schema.type || (schema.enum || "const" in schema ? "string" : "")].flat();
  const shown = type.map((one) => (one === "array" ? say(`list of ${typeOf(schema.items)}`, `liste de ${typeOf(schema.items)}`) : one));
  return shown.join(say(" or ", " ou ")) || say("any", "tout");
}

function choices(schema) {
  const values = "const" in schema ? [schema.const] : schema.enum;
  return (values || []).filter((value) => value !== null);
}

// A table that scrolls sideways where it must; `of` is what it is about.
function table(of, heads, rows) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  return make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `${of}, ${heads[0]}` },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function row(name, ...cells) {
  const head = make("th", { scope: "row" }, make("code", {}, name));
  return make("tr", {}, head, ...cells.map((cell) => make("td", {}, ...[cell].flat())));
}

function section(id, title, ...children) {
  at("contents").append(make("li", {}, make("a", { href: `#${id}` }, title)));
  const heading = make("h2", { id: `${id}-title` }, title);
  const drawn = make("section", { id, "aria-labelledby": heading.id }, heading, ...children);
  at("reference").append(drawn);
  return drawn;
}

// What a value is entered in: a list of words, or a text like the example.
function field(parameter, properties) {
  const schema = parameter.schema.items || parameter.schema;
  const name = parameter.name;
  if (schema.enum) {
    const options = ["", ...schema.enum].map((word) => make("option", { value: word }, word || "–"));
    return make("select", { name, ...properties }, ...options);
  }
  const example = [parameter.example].flat()[0];
  return make("input", { name, autocomplete: "off", placeholder: example === undefined ? "" : String(example), ...properties });
}

// One parameter takes its values with commas between: boxes to tick.
const isJoined = (parameter) => parameter.schema.type === "array" && parameter.explode === false;
// Others may be repeated: as many fields as there are values.
const isRepeated = (parameter) => parameter.schema.type === "array" && !isJoined(parameter);

// One of the lists of words may be chosen once: facets that are crossed.
function boxes(parameter) {
  const [words, crossed] = (parameter.schema.items.anyOf || [parameter.schema.items]).map((list) => list.enum);
  const options = (crossed || []).map((word) => make("option", { value: word }, word));
  const chosen = make("select", { name: parameter.name, "aria-label": say(`crossed ${parameter.name}`, `${parameter.name} croisées`) }, make("option", { value: "" }, "–"), ...options);
  const box = (value) => make("label", {}, make("input", { type: "checkbox", name: parameter.name, value }), ` ${value}`);
  return make("div", { className: "boxes", role: "group", "aria-label": parameter.name }, ...words.map(box), ...(crossed ? [chosen] : []));
}

function addField(cell, parameter) {
  const added = field(parameter, { "aria-label": say(`another ${parameter.name}`, `autre valeur de ${parameter.name}`) });
  cell.querySelector("button").before(added);
  return added;
}

function parameterRow(operation, parameter) {
  const id = `${operation.operationId}-${parameter.name}`;
  const { maximum, default: preset } = parameter.schema;
  const range = maximum === undefined ? [] : [make("div", { className: "hint" }, say(`0 to ${maximum}, default ${preset}`, `de 0 à ${maximum}, ${preset} par défaut`))];
  const name = make("code", {}, parameter.name);
  const cell = make("td", {}, isJoined(parameter) ? boxes(parameter) : field(parameter, { id }));
  if (isRepeated(parameter)) {
    const more = make("button", { type: "button", className: "more", "aria-label": say(`Another value of ${parameter.name}`, `Autre valeur de ${parameter.name}`) }, say("+ value", "+ valeur"));
    more.addEventListener("click", () => addField(cell, parameter).focus());
    cell.append(more);
  }
  return make("tr", {}, make("th", { scope: "row" }, isJoined(parameter) ? name : make("label", { htmlFor: id }, name)),
    cell, make("td", {}, ...prose(parameter.description), ...range));
}

// Puts the values of a query string into a form.
function fill(form, parameters, query) {
  form.reset();
  for (const extra of form.querySelectorAll("td > :is(input, select) ~ :is(input, select)")) extra.remove();
  const given = new URLSearchParams(query);
  for (const parameter of parameters.filter(({ name }) => given.has(name))) {
    const values = given.getAll(parameter.name);
    if (isJoined(parameter)) {
      const words = values.join(",").split(",");
      for (const box of form.querySelectorAll(`input[name="${parameter.name}"]`)) box.checked = words.includes(box.value);
      for (const option of form.querySelectorAll(`select[name="${parameter.name}"] option`)) option.selected = words.includes(option.value);
      continue;
    }
    const first = form.querySelector(`[name="${parameter.name}"]`);
    const fields = values.map((_, index) => (index ? addField(first.parentElement, parameter) : first));
    fields.forEach((one, index) => { one.value = values[index]; });
  }
}

function headersOf(operation) {
  const headers = { "Accept-Language": language };
  if ((operation.security || []).length) {
    headers["x-gateway-key"] = at("key").value.trim();
    headers["x-gateway-host"] = at("host").value.trim();
  }
  return headers;
}

function asCurl(url, headers) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = Object.entries(headers).map(([name, value]) => {
    return `  -H ${quote(`${name}: ${name === "x-gateway-key" ? say("YOUR KEY", "VOTRE CLÉ") : value}`)}`;
  });
  return [`curl ${quote(new URL(url, location.href).href)}`, ...lines].join(" \\\n");
}

// The parameters that say what of the matches to answer with. The explorer lays that out in its own way, in
// the same order.
const OF_RECORDS = document.documentElement.dataset.ofRecords.split(" ").filter((name) => !name.startsWith("sort_"));

// The same question in the explorer.
function inExplorer(path, query) {
  const question = new URLSearchParams(query);
  for (const name of OF_RECORDS) question.delete(name);
  if (path.startsWith("/emission")) question.append("on", "emission");
  if (path.endsWith("/places")) question.append("view", "map");
  if (new URLSearchParams(location.search).has("lang")) question.append("lang", language);
  return `/?${question}`;
}

async function send(operation, path, parameters, form, shown) {
  const query = new URLSearchParams();
  const entered = new FormData(form);
  for (const parameter of parameters) {
    const values = entered.getAll(parameter.name).map((value) => value.trim()).filter(Boolean);
    const sent = isJoined(parameter) && values.length ? [values.join(",")] : values;
    for (const value of sent) query.append(parameter.name, value);
  }
  const url = query.size ? `${path}?${query}` : path;
  const headers = headersOf(operation);
  const hasKey = Boolean(headers["x-gateway-key"]);
  shown.request.textContent = asCurl(url, headers);
  shown.open.href = inExplorer(path, query);
  shown.open.hidden = !operation["x-examples"];
  shown.status.className = "";
  shown.status.textContent = say("Asking…", "Demande en cours…");
  try {
    // Without a key, the pass of the explorer goes along, where there is one.
    if (!hasKey) delete headers["x-gateway-key"];
    const answer = await fetch(url, { headers, credentials: hasKey ? "omit" : "same-origin" });
    const text = await answer.text();
    const type = answer.headers.get("content-type");
    const isJson = /[/+]json$/.test(type);
    // A file that is no text has a name among the headers, and nothing to show.
    const isText = /json|^text/.test(type);
    shown.status.className = answer.ok ? "good" : "bad";
    shown.status.textContent = `${answer.status} ${answer.statusText}`;
    shown.headers.textContent = [...answer.headers].map((header) => header.join(": ")).join("\n");
    // Numbers keep their digits: the text is laid out, never parsed.
    shown.body.textContent = (isJson ? indented(text) : isText ? text : "").slice(0, 200000);
  } catch (error) {
    shown.status.className = "bad";
    shown.status.textContent = String(error);
  }
}

// JSON with line breaks, its numbers and texts as they came.
function indented(json) {
  let depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  return json.replace(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g, (token) => {
    if (/^\s/.test(token)) return "";
    if (token === "{" || token === "[") { depth += 1; return token + line(); }
    if (token === "}" || token === "]") { depth -= 1; return line() + token; }
    if (token === ",") return token + line();
    return token === ":" ? ": " : token;
  });
}

function drawOperation(api, path, method, operation) {
  const parameters = (operation.parameters || []).map((parameter) => resolve(api, parameter)).filter((parameter) => parameter.in === "query");
  const shown = {
    status: make("output", { "aria-live": "polite" }),
    open: make("a", { className: "open", hidden: true }, say("Open in the explorer", "Ouvrir dans l’explorateur")),
    request: make("pre", { tabIndex: 0, "aria-label": say("The request", "La requête") }),
    headers: make("pre", { tabIndex: 0, "aria-label": say("Headers of the answer", "En-têtes de la réponse") }),
    body: make("pre", { tabIndex: 0, "aria-label": say("Body of the answer", "Corps de la réponse") }),
  };
  const form = make("form", {},
    ...(parameters.length ? [table(operation.summary, [say("Parameter", "Paramètre"), say("Value", "Valeur"), say("Meaning", "Signification")], parameters.map((parameter) => parameterRow(operation, parameter)))] : []),
    make("div", { className: "actions" }, make("button", { type: "submit", className: "primary" }, say("Try it", "Essayer")), shown.status, shown.open));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(operation, path, parameters, form, shown);
  });
  const examples = (operation["x-examples"] || []).map(({ summary, query }) => {
    const button = make("button", { type: "button", className: "example", title: `${path}?${query}` }, summary);
    button.addEventListener("click", () => {
      fill(form, parameters, query);
      form.requestSubmit();
      shown.request.scrollIntoView({ block: "center" });
    });
    return make("li", {}, button);
  });
  if (examples.length) form.prepend(make("p", {}, say("Examples; a click sends one:", "Exemples; un clic en envoie un\u00a0:")), make("ul", { className: "examples" }, ...examples));
  const answers = Object.entries(operation.responses).map(([status, answer]) => {
    return row(status, prose(resolve(api, answer).description));
  });
  // A message to `POST` is written by programs.
  const trial = method === "get" ? [form, shown.request, shown.headers, shown.body] : [];
  section(operation.operationId, operation.summary,
    make("p", {}, make("span", { className: "path" }, `${method.toUpperCase()} ${path}`), operation.security?.length ? say(" – needs a key", " – exige une clé") : ""),
    make("p", {}, ...prose(operation.description || "")),
    ...trial,
    make("h3", {}, say("Answers", "Réponses")), table(operation.summary, [say("Status", "Statut"), say("When", "Cas")], answers));
}

function drawSchema(name, schema) {
  // `required` is in the order of the answer; properties are not.
  const names = [...new Set([...(schema.required || []), ...Object.keys(schema.properties || {})])];
  const rows = names.map((key) => {
    const property = schema.properties[key];
    const words = choices(property);
    const list = words.length ? [make("div", { className: "hint" }, words.join(" · "))] : [];
    return row(key, typeOf(property), [...prose(property.description || ""), ...list]);
  });
  section(`schema-${name}`, name, table(name, [say("Field", "Champ"), "Type", say("Meaning", "Signification")], rows));
}

async function draw() {
  at("host").value = location.hostname;
  at("access").hidden = false;
  at("access").addEventListener("submit", (event) => event.preventDefault());
  const answer = await fetch("/openapi.json", { headers: { "Accept-Language": language } });
  if (!answer.ok) throw new Error(`/openapi.json: ${answer.status}`);
  const api = await answer.json();
  at("static").remove();
  at("summary").textContent = `${api.info.summary} · ${api.info.version}`;
  at("about").append(...prose(api.info.description));
  const operations = Object.entries(api.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => [path, method, operation]));
  const isSearch = ([, , operation]) => operation.tags.includes("search");
  for (const [path, method, operation] of [...operations.filter(isSearch), ...operations.filter((one) => !isSearch(one))]) {
    drawOperation(api, path, method, operation);
  }
  for (const [name, schema] of Object.entries(api.components.schemas)) drawSchema(name, schema);
  // The browser looked for the part after the # before it was drawn.
  const wanted = location.hash && at(decodeURIComponent(location.hash.slice(1)));
  if (wanted) wanted.scrollIntoView();
}

draw().catch((error) => {
  at("trouble").hidden = false;
  at("trouble").textContent = say("The reference could not be drawn: ", "La référence n’a pu être affichée\u00a0: ") + error.message;
});
