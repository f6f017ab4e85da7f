import { userInfo } from 'node:os';

/** Who runs the command, as the history of keys records it. */
export function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // A container may run under a user id that has no name.
    return 'cli';
  }
}
