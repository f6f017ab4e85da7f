import { userInfo } from 'node:os';

/** The operator who runs the command, as recorded in the audit and key histories. */
export function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // The user id has no name, as in some containers.
    return 'cli';
  }
}
