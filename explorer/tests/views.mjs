// The views of the page that are looked at as a whole.

import { embedder } from "./support.mjs";

/** A view, and what its questions are answered with instead of records. */
const PAGES = [
  ["/"],
  ["/?q=mercury&province=ON&year=2010-2024"],
  ["/?on=emission&facet_sort=count"],
  ["/?q=mercury&view=map"],
  ["/?on=emission&view=compare&year=2014&year=2019"],
  ["/?near=42.97,-82.4&within_km=50"],
  ["/facility/G10001"],
  ["/substance/NA-M10"],
  ["/?q=mercry+Sarnia&province=PE"],
  ["/?q=mercry&view=map"],
  ["/facility/none"],
  ["/substance/none"],
  ["/?provnce=ON"],
  ["/?q=lead", { status: 503, code: "overloaded", wait: 60 }],
  ["/facility/G10001", { status: 500, code: "internal-error" }],
];

/** The charts that other sites show; the service has them where it knows of one. */
const CHARTS = [
  ["/embed?q=mercury&view=years"],
  ["/embed?q=mercury&province=ON&view=largest"],
  ["/embed?on=emission&view=map"],
  ["/embed?q=mercry"],
  ["/embed?q=lead", { status: 500, code: "internal-error" }],
];

export const VIEWS = embedder > 0 ? [...PAGES, ...CHARTS] : PAGES;
