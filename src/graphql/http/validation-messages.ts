import type { DocumentProblem } from './document-check.ts';

/** What the validation thread is started with. */
export interface ValidationWorkerData {
  /** The schema in SDL. */
  readonly sdl: string;
}

/** A document for the validation thread. */
export interface CheckRequest {
  readonly id: number;
  readonly source: string;
}

/** The result for the request with this `id`: the document is valid if there is nothing else. */
export interface CheckResult {
  readonly id: number;
  readonly problems?: readonly DocumentProblem[];
  /** The message of `query_too_complex`. */
  readonly tooComplex?: string;
  /** An unexpected error. */
  readonly failure?: string;
}
