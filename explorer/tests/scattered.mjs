// An answer with the places of as many facilities as there may be.

/** Facilities along the 49th parallel and north of it. Their amounts span eight powers of ten, as those of the inventories do. */
export function scattered(n) {
  const column = (value) => Array.from({ length: n }, (_, index) => value(index));
  const places = {
    facility_id: column((index) => `${index + 1}`),
    longitude: column((index) => -125 + (index % 200) * 0.35),
    latitude: column((index) => 49 + Math.floor(index / 200) * 0.2),
    count: column(() => 1),
    kg: column((index) => 10 ** (((index * 7919) % 1000) / 125)),
    g_teq: column(() => null),
  };
  return { entity_type: "release", count: n, facilities: n, nowhere: { facilities: 0, count: 0 }, places };
}
