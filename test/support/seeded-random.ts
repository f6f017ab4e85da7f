/** Returns a pseudo-random integer from 0 to `bound - 1` that depends only on the arguments. */
function seededInteger(index: number, purpose: string, bound: number): number {
  let hash = 0x811c9dc5 ^ index;
  for (const character of `${purpose}:${index}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % bound;
}

/** A pseudo-random item of a non-empty list, see {@link seededInteger}. */
export function pick<Item>(list: readonly Item[], index: number, purpose: string): Item {
  return list[seededInteger(index, purpose, list.length)] as Item;
}
