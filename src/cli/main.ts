#!/usr/bin/env node
import { onNpmExit, requestStop } from '../processes/stop-request.ts';
import { terminalOf } from '../processes/terminal.ts';
import { SERVICE_VERSION } from '../store/migrations/schema-version.ts';
import { standardInput } from './password.ts';
import { run } from './run.ts';

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
  stdout: terminalOf(process.stdout),
  stderr: terminalOf(process.stderr),
  version: SERVICE_VERSION,
  passwords: standardInput,
  out,
  err: (text) => process.stderr.write(text),
});
