import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code block of a page. */
export interface Block {
  /** The page and the line on which it starts, for messages. */
  readonly place: string;
  /** `sh`, `diff`, …; empty if it has none. */
  readonly language: string;
  readonly text: string;
  /** The heading of its section. */
  readonly section: string;
  /** The text of the paragraphs between the previous block, list item or heading and this one. */
  readonly before: string;
  /** The comment before the block, which is not shown: `<!-- not run: needs Docker -->`. */
  readonly mark: string | undefined;
}

/** Reads the code blocks of a page in order. */
export function blocksOf(root: string, page: string): Block[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  let [section, before, mark] = ['', '', undefined as string | undefined];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, indent = '', language] = /^( *)```(\w*)$/.exec(line) ?? [];
    if (language === undefined) {
      mark = /^ *<!-- (.+) -->$/.exec(line)?.[1] ?? (line.trim() === '' ? mark : undefined);
      const [, heading] = /^#+ (.+)$/.exec(line) ?? [];
      section = heading ?? section;
      before = heading || /^ *(?:\d+\.|-) /.test(line) ? line : `${before}\n${line}`;
      continue;
    }
    const end = lines.findIndex((one, index) => index > at && one === `${indent}\`\`\``);
    const text = lines.slice(at + 1, end).map((one) => one.slice(Math.min(indent.length, one.search(/\S|$/))));
    blocks.push({ place: `${page}:${at + 1}`, language, text: text.join('\n'), section, before, mark });
    [at, mark] = [end, undefined];
  }
  return blocks;
}

/** The numbered steps of a section: the text of each, with the blocks that belong to it. */
export interface Step {
  /** The file that the step writes or changes. */
  readonly file: string;
  /** The file of this repository to copy to it, or to append to it; undefined if the blocks are all. */
  readonly source: string | undefined;
  readonly blocks: readonly Block[];
}

/** Reads the steps of a section of a page. Each begins with the path of its file. */
export function stepsOf(root: string, page: string, section: string): Step[] {
  const text = readFileSync(join(root, page), 'utf8');
  const [, body = ''] = text.split(`\n## ${section}\n`);
  const [own = ''] = body.split('\n## ');
  const blocks = blocksOf(root, page).filter((block) => block.section === section);
  return [...own.matchAll(/^\d+\. `([^`]+)`([\s\S]*?)(?=^\d+\. |^Then)/gm)].map(([item, file = '', rest = '']) => {
    const [, source] = /\]\((examples\/[\w.]+)\)/.exec(rest) ?? [];
    return {
      file,
      source: source && `docs/${source}`,
      blocks: blocks.filter((block) => item.includes(indented(block))),
    };
  });
}

/** The first line of a block, as it is in a list item. */
function indented({ text }: Block): string {
  return `   ${text.split('\n')[0]}`;
}
