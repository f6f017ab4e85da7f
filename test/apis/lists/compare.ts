import fc from 'fast-check';
import { times } from '../../support/data.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';
import { idsByModel, type ModeledList, type RecordModel } from './list-model.ts';
import { type WalkRequest, walkGraphql, walkRest } from './list-walks.ts';

/** Options of {@link compareList}. */
interface ComparisonOptions {
  /** The number of random combinations of filters, order, direction and page size. */
  readonly combinations: number;
  readonly seed: number;
  /** Whether records are added while the list is paginated. */
  readonly isAddedTo: boolean;
  /** Called after each combination. */
  readonly onProgress?: (combinations: number) => void;
}

/** The result of comparing a list with its model. */
export interface ListComparison {
  /** The number of combinations compared, up to the first difference. */
  readonly combinations: number;
  /** The number of records in all walks. */
  readonly records: number;
  /** The number of records that were added meanwhile. */
  readonly added: number;
  /** The first difference, with its request; undefined if there is none. */
  readonly difference: string | undefined;
}

/** The result of a walk. */
interface Walk {
  readonly ids: readonly string[];
  /** Undefined in the REST API. */
  readonly totalCount?: number | null;
}

/** Reads all pages of a list; calls `onPage` after each page. */
type Walker = (onPage: () => void) => Promise<Walk>;

/** After this number of pages, a walk continues with the maximum page size. */
const MANY_PAGES = 40;
const MAX_PAGE_SIZE = 100;
const MAX_COUNTED = 10_000;
/** The number of combinations that are compared at the same time. */
const AT_ONCE = 3;

/**
 * Walks a list with random filters and orders in both APIs, in GraphQL from either end, and compares the records of each walk,
 * their order and their number with those of the model. Records that are added during a walk may be missing from it; those
 * that were added before may not.
 */
export async function compareList<Model extends RecordModel>(
  service: Pick<TestService, 'app'>,
  organization: Pick<TestOrganization, 'get' | 'key'>,
  list: ModeledList<Model>,
  { combinations, seed, isAddedTo, onProgress }: ComparisonOptions,
): Promise<ListComparison> {
  const idsOf = idsByModel(list);
  const requests = fc.sample(list.requests, { numRuns: combinations, seed });
  const initial = new Set(list.models.map(({ id }) => id));
  const added: Model[] = [];
  let [started, compared, records, additions] = [0, 0, 0, 0];
  let difference: string | undefined;

  const matchingAdded = ({ filter }: WalkRequest) =>
    added.filter((model) => list.matches(model, filter)).map(({ id }) => id);

  const addingNow = new Set<Promise<void>>();
  const addOne = () => {
    const adding = list.add(additions++).then((model) => {
      added.push(model);
      addingNow.delete(adding);
    });
    addingNow.add(adding);
  };

  const differenceOfWalk = async (api: string, request: WalkRequest, walk: Walker): Promise<string | undefined> => {
    const before = matchingAdded(request);
    let pages = 0;
    const { ids, totalCount } = await walk(() => {
      if (isAddedTo && pages++ === 0) addOne();
    });
    await Promise.all(addingNow);
    records += ids.length;
    const after = matchingAdded(request);
    const expected = idsOf(request);
    const found =
      differenceOfInitial(
        ids.filter((id) => initial.has(id)),
        expected,
      ) ??
      differenceOfAdded(
        ids.filter((id) => !initial.has(id)),
        before,
        after,
      ) ??
      differenceOfCount(totalCount, expected.length + before.length, expected.length + after.length);
    return found && `${api} ${found}`;
  };

  const differenceOf = async (asked: WalkRequest): Promise<string | undefined> => {
    const request = withFewPages(asked, idsOf(asked).length);
    return (
      (await differenceOfWalk('REST', request, async (onPage) => ({
        ids: await walkRest(organization, `/${list.name}`, request, onPage),
      }))) ??
      differenceOfWalk('GraphQL', request, (onPage) => walkGraphql(service, organization, list.name, request, onPage))
    );
  };

  const compareNext = async (): Promise<void> => {
    while (started < requests.length && difference === undefined) {
      const number = started++;
      const request = requests[number] as WalkRequest;
      const found = await differenceOf(request);
      if (found) {
        difference ??= `seed ${seed}, combination ${number}: ${JSON.stringify(request)}\n${found}`;
        return;
      }
      compared += 1;
      onProgress?.(compared);
    }
  };

  await Promise.all(times(AT_ONCE, compareNext));
  return { combinations: compared, records, added: added.length, difference };
}

/** A large list in large pages, so that each combination takes a few dozen requests. */
function withFewPages(request: WalkRequest, records: number): WalkRequest {
  return { ...request, size: Math.min(MAX_PAGE_SIZE, Math.max(request.size, Math.ceil(records / MANY_PAGES))) };
}

function differenceOfInitial(ids: readonly string[], expected: readonly string[]): string | undefined {
  const at = expected.findIndex((id, index) => ids[index] !== id);
  if (at < 0 && ids.length === expected.length) return undefined;
  const place = at < 0 ? expected.length : at;
  const read = new Set(ids);
  const missing = expected.filter((id) => !read.has(id));
  return `has ${ids[place]} at ${place}, not ${expected[place]}; ${missing.length} of ${expected.length} are missing, ${ids.length - read.size} are repeated`;
}

function differenceOfAdded(
  ids: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string | undefined {
  const [read, possible] = [new Set(ids), new Set(after)];
  const repeated = ids.length - read.size;
  const skipped = before.filter((id) => !read.has(id));
  const wrong = ids.filter((id) => !possible.has(id));
  if (repeated + skipped.length + wrong.length === 0) return undefined;
  return `repeats ${repeated} added records, skips ${skipped.join()}, and has ${wrong.join()}, which the filters exclude`;
}

/** @param count null if there are more than are counted; undefined if it was not requested. */
function differenceOfCount(count: number | null | undefined, least: number, most: number): string | undefined {
  if (count === undefined) return undefined;
  const isPossible = count === null ? most > MAX_COUNTED : count >= least && count <= Math.min(most, MAX_COUNTED);
  return isPossible ? undefined : `counts ${count} records, not ${least} to ${most}`;
}
