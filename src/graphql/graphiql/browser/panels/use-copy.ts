import { useEffect, useState } from 'react';

const SHOWN_MS = 4_000;

type CopyStatus = 'copied' | 'failed' | undefined;

/** Returns the outcome of the last copy, and a function that copies a text, which browsers allow on secure origins only. */
export function useCopy(): [CopyStatus, (text: string) => Promise<CopyStatus>] {
  const [status, setStatus] = useState<CopyStatus>();
  useEffect(() => {
    const timer = setTimeout(() => setStatus(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const copy = async (text: string) => {
    let outcome: CopyStatus = 'copied';
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Also if there is no clipboard, as on insecure origins.
      outcome = 'failed';
    }
    setStatus(outcome);
    return outcome;
  };
  return [status, copy];
}
