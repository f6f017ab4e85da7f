import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BREEZE } from './breeze.ts';
import { exportChurch } from './church-export.ts';
import { CHURCHTOOLS } from './churchtools.ts';
import { PLANNING_CENTER } from './planning-center.ts';

/** Writes the files of three invented churches, and `expected.csv` with what the import must do with each row of members. */
const [folder, count = '2000'] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run migrations -- FOLDER [PEOPLE]');
for (const system of [PLANNING_CENTER, BREEZE, CHURCHTOOLS]) {
  const { rows, ...files } = exportChurch(system, Number(count));
  const path = join(folder, system.name);
  await mkdir(path, { recursive: true });
  for (const [resource, text] of Object.entries(files)) await writeFile(join(path, `${resource}.csv`), text);
  const expected = rows.map(({ person, line, expected }) => {
    const reasons = typeof expected === 'string' ? expected : `rejected: ${expected.rejected.join(' ')}`;
    return `${line},${person.id},"${reasons}"\n`;
  });
  await writeFile(join(path, 'expected.csv'), `line,id,expected\n${expected.join('')}`);
  const members = rows.filter(({ expected }) => expected === 'member').length;
  process.stdout.write(`${path}: ${rows.length} rows, ${members} members\n`);
}
