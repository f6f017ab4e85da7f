/** A number from 0 to `sides - 1` that looks drawn, yet is the same for the same index and purpose. */
export function draw(index: number, purpose: string, sides: number): number {
  let hash = 0x811c9dc5 ^ index;
  for (const character of `${purpose}:${index}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % sides;
}

/** One of a list that is not empty, counted round and round. */
export function nth<Item>(list: readonly Item[], index: number): Item {
  return list[index % list.length] as Item;
}

/** One of a list that is not empty; see {@link draw}. */
export function pick<Item>(list: readonly Item[], index: number, purpose: string): Item {
  return nth(list, draw(index, purpose, list.length));
}
