import {
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLTaggedNode,
  getPaginationMetadata,
  getPaginationVariables,
  getRefetchMetadata,
  getSingularSelector,
  getValueAtPath,
  Network,
  type ReaderFragment,
  RecordSource,
  type SingularReaderSelector,
  Store,
  type Variables,
} from 'relay-runtime';
import { send } from '../support/service.ts';

/** A Relay environment for the running service. */
export function relayEnvironment(): Environment {
  return new Environment({
    network: Network.create(({ text }, variables) => send(text ?? '', variables)),
    store: new Store(new RecordSource()),
  });
}

/** Fetches a query and retains it, like `useLazyLoadQuery`; returns its data from the store. */
export async function load<Result>(environment: Environment, query: GraphQLTaggedNode, variables: Variables) {
  const operation = createOperationDescriptor(query as never, variables);
  environment.retain(operation);
  await fetchQuery(environment, query, variables).toPromise();
  return environment.lookup(operation.fragment).data as Result;
}

/** A fragment reference: reads it from the store, paginates and refetches it, like Relay's hooks. */
export class FragmentInStore<Data> {
  private readonly selector: SingularReaderSelector;

  constructor(
    private readonly environment: Environment,
    private readonly fragment: ReaderFragment,
    reference: unknown,
  ) {
    this.selector = getSingularSelector(fragment, reference) as SingularReaderSelector;
  }

  read(): Data {
    return this.environment.lookup(this.selector).data as Data;
  }

  /** Like `loadNext` of `usePaginationFragment`. */
  async loadNext(count: number): Promise<void> {
    const { connectionPathInFragmentData, paginationMetadata, paginationRequest, identifierField } =
      getPaginationMetadata(this.fragment, 'loadNext');
    const data = this.read() as Record<string, unknown>;
    const connection = getValueAtPath(data, connectionPathInFragmentData) as { pageInfo: { endCursor: string } };
    const variables = getPaginationVariables(
      'forward',
      count,
      connection.pageInfo.endCursor,
      this.selector.variables,
      identifierField ? { id: data[identifierField] } : {},
      paginationMetadata,
    );
    await fetchQuery(this.environment, paginationRequest, variables).toPromise();
  }

  /** Like `refetch` of `useRefetchableFragment`. */
  async refetch(): Promise<void> {
    const { refetchableRequest, identifierInfo } = getRefetchMetadata(this.fragment, 'refetch');
    const data = this.read() as Record<string, unknown>;
    const variables = identifierInfo
      ? { [identifierInfo.identifierQueryVariableName]: data[identifierInfo.identifierField] }
      : {};
    await fetchQuery(this.environment, refetchableRequest, { ...this.selector.variables, ...variables }).toPromise();
  }
}
