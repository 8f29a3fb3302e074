// The projection of the map: Lambert's conformal conic with the parallels 49° and 77° N, as Statistics
// Canada draws the country. A sphere is exact enough at this scale.

const RADIANS = Math.PI / 180;
const [FIRST, SECOND, MERIDIAN] = [49 * RADIANS, 77 * RADIANS, -91.8667 * RADIANS];

/** The scale of the map: units of the drawing for each radius of the Earth. */
const SCALE = 2354;
const [LEFT, TOP] = [944, 3870];
/** Kilometres on the ground for each unit of the drawing: true on both parallels, and within 3 % in between. */
export const KILOMETRES = 6371 / SCALE;
/** The size of the drawing, which has all of Canada in it. */
export const [WIDTH, HEIGHT] = [2000, 1728];

const half = (latitude: number): number => Math.tan(Math.PI / 4 + latitude / 2);
const CONE = Math.log(Math.cos(FIRST) / Math.cos(SECOND)) / Math.log(half(SECOND) / half(FIRST));
const RADIUS = (Math.cos(FIRST) * half(FIRST) ** CONE) / CONE;

/** The place of a point on the map, in units from the left and from the top. */
export function project(longitude: number, latitude: number): [x: number, y: number] {
  const radius = RADIUS / half(latitude * RADIANS) ** CONE;
  const angle = CONE * (longitude * RADIANS - MERIDIAN);
  return [LEFT + SCALE * radius * Math.sin(angle), TOP + SCALE * (radius * Math.cos(angle) - RADIUS)];
}
