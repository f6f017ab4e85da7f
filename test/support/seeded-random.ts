/** Returns a pseudo-random integer from 0 to `bound - 1` that depends only on the arguments. */
export function seededInteger(index: number, purpose: string, bound: number): number {
  let hash = 0x811c9dc5 ^ index;
  for (const character of `${purpose}:${index}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % bound;
}

/** The item of a non-empty list at an index, modulo its length. */
export function nth<Item>(list: readonly Item[], index: number): Item {
  return list[index % list.length] as Item;
}

/** A pseudo-random item of a non-empty list, see {@link seededInteger}. */
export function pick<Item>(list: readonly Item[], index: number, purpose: string): Item {
  return nth(list, seededInteger(index, purpose, list.length));
}
