import type { DocumentProblem } from './document-check.ts';

/** The `workerData` of the validation thread. */
export interface ValidationWorkerData {
  /** The schema in SDL. */
  readonly sdl: string;
}

/** A document for the validation thread. */
export interface CheckRequest {
  readonly id: number;
  readonly source: string;
}

/** The result of the request with this `id`; the document is valid if all other fields are absent. */
export interface CheckResult {
  readonly id: number;
  readonly problems?: readonly DocumentProblem[];
  /** The message of `query_too_complex`. */
  readonly tooComplex?: string;
  /** An unexpected error. */
  readonly failure?: string;
}
