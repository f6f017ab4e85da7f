#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { onNpmExit, requestStop } from '../processes/stop-request.ts';
import { standardInput } from './password.ts';
import { run } from './run.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

onNpmExit(requestStop);

// Failed writes are handled by their callers; unhandled error events would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

function out(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  terminal: process.stderr.isTTY === true,
  columns: () => process.stderr.columns || undefined,
  version,
  passwords: standardInput,
  out,
  err: (text) => process.stderr.write(text),
});
