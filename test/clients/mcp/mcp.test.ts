import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, inject, it } from 'vitest';
import { person } from '../support/rest.ts';
import { REPOSITORY, WORKSPACE } from '../support/tool.ts';

// The MCP servers work as docs/ai-agents.md configures them, and the messages of errors reach the agent.

interface Server {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** Runs `work` with an MCP server of the documented configuration, and the text of the results of its tools. */
async function withServer(
  name: string,
  work: (call: (tool: string, input: Record<string, unknown>) => Promise<string>, tools: string[]) => Promise<void>,
): Promise<void> {
  const document = await readFile(join(REPOSITORY, 'docs/ai-agents.md'), 'utf8');
  const [, configuration = ''] = /```json\n(.*?)```/s.exec(document) ?? [];
  const text = configuration
    .replaceAll('http://127.0.0.1:4000', inject('address'))
    .replaceAll('YOUR_KEY', inject('key'));
  const server: Server = JSON.parse(text).mcpServers[name];
  const [, packageName = '', version] = /^(@?[^@]+)@(.+)$/.exec(server.args.at(-1) ?? '') ?? [];
  const manifest = JSON.parse(await readFile(join(WORKSPACE, 'node_modules', packageName, 'package.json'), 'utf8'));
  expect(manifest.version, 'the tested version is the documented one').toBe(version);
  const [bin] = Object.keys(manifest.bin);
  const client = new Client({ name: 'test', version: '1' });
  const command = join(WORKSPACE, 'node_modules/.bin', bin ?? '');
  await client.connect(
    new StdioClientTransport({ command, env: { PATH: process.env.PATH ?? '', ...server.env }, stderr: 'ignore' }),
  );
  try {
    const { tools } = await client.listTools();
    const call = async (tool: string, input: Record<string, unknown>) => {
      const { content } = await client.callTool({ name: tool, arguments: input });
      return (content as { text: string }[]).map(({ text }) => text).join('\n');
    };
    await work(
      call,
      tools.map((tool) => tool.name),
    );
  } finally {
    await client.close();
  }
}

it('the MCP server of the REST API has a tool for each operation, and passes on records and errors', async () => {
  await withServer('members', async (call, tools) => {
    const { paths } = JSON.parse(await readFile(join(REPOSITORY, 'openapi.json'), 'utf8'));
    expect(tools).toHaveLength(Object.values(paths).flatMap((path) => Object.keys(path as object)).length);
    const body = person();
    expect(await call('crt-member', body)).toContain(body.email_address);
    expect(await call('lst-members', { q: body.email_address, limit: 1 })).toContain(body.first_name);
    expect(await call('lst-members', { page: 2 })).toContain('page: unknown parameter; use cursor');
  });
});

it('the MCP server of the GraphQL API reads the schema, and passes on records and errors', async () => {
  await withServer('members-graphql', async (call) => {
    expect(await call('introspect-schema', {})).toContain('type Member implements Node');
    expect(await call('query-graphql', { query: '{ members(first: 1) { nodes { firstName } } }' })).toContain(
      'firstName',
    );
    expect(await call('query-graphql', { query: '{ members(limit: 1) { nodes { id } } }' })).toContain('Did you mean');
  });
});
