/** Files of a work package with Apollo Client: pages, changes as they happen, and deletions. */
import {
  ApolloClient,
  ApolloLink,
  gql,
  HttpLink,
  InMemoryCache,
  Observable,
  type TypedDocumentNode,
} from '@apollo/client';
import { OperationTypeNode, print } from 'graphql';
import { createClient } from 'graphql-sse';
import { possibleTypes, typePolicies } from 'moorage-client/apollo';

interface Files {
  container: {
    attachments: {
      totalCount: number;
      nodes: { id: string; fileName: string }[];
      pageInfo: { endCursor: string | null; hasNextPage: boolean };
    };
  } | null;
}

interface FileList {
  names: string[];
  totalCount: number;
}

const FILES: TypedDocumentNode<Files, { id: string; first: number; after?: string | null }> = gql`
  query Files($id: ID!, $first: Int!, $after: String) {
    container(id: $id) {
      id
      attachments(first: $first, after: $after) {
        totalCount
        nodes {
          id
          fileName
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`;

const CHANGES: TypedDocumentNode<{ attachmentChanged: { event: string } }, { id: string }> = gql`
  subscription Changes($id: ID!) {
    attachmentChanged(containerId: $id) {
      event
    }
  }
`;

const DELETE: TypedDocumentNode<
  { deleteAttachment: { deletedAttachmentId: string } },
  { id: string }
> = gql`
  mutation Delete($id: ID!) {
    deleteAttachment(input: { id: $id }) {
      deletedAttachmentId
      container {
        id
        attachments {
          totalCount
        }
      }
    }
  }
`;

/** Subscriptions go to another address, as server-sent events. */
export function apolloClient(url: string, key: string): ApolloClient {
  const headers = { authorization: `Bearer ${key}` };
  // It connects again after a loss.
  const stream = createClient({ url: `${url}/graphql/stream`, headers, retryAttempts: Infinity });
  const streamLink = new ApolloLink(
    ({ query, variables }) =>
      new Observable<ApolloLink.Result>((observer) =>
        stream.subscribe(
          { query: print(query), variables },
          {
            next: (result) => observer.next(result as ApolloLink.Result),
            error: (error) => observer.error(error),
            complete: () => observer.complete(),
          },
        ),
      ),
  );
  return new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      streamLink,
      new HttpLink({ uri: `${url}/graphql`, headers }),
    ),
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
  });
}

function filesIn(data: Files | null): FileList {
  const { nodes = [], totalCount = 0 } = data?.container?.attachments ?? {};
  return { names: nodes.map(({ fileName }) => fileName), totalCount };
}

/** @returns the names of the files, as the cache has them at the end */
export async function filesWithApollo(url: string, key: string, id: string): Promise<string[]> {
  const client = apolloClient(url, key);
  const query = client.watchQuery({ query: FILES, variables: { id, first: 2 } });
  const subscription = query.subscribe(() => undefined);
  try {
    let { data } = await query.refetch();
    while (data?.container?.attachments.pageInfo.hasNextPage) {
      const after = data.container.attachments.pageInfo.endCursor;
      ({ data } = await query.fetchMore({ variables: { after } }));
    }
    return filesIn(client.readQuery({ query: FILES, variables: { id, first: 2 } })).names;
  } finally {
    subscription.unsubscribe();
    client.stop();
  }
}

/** Deletes a file. The answer has the new count, and lists leave out what the cache has no more. */
export async function deleteWithApollo(client: ApolloClient, id: string): Promise<void> {
  await client.mutate({
    mutation: DELETE,
    variables: { id },
    update: (cache, { data }) => {
      const deleted = data?.deleteAttachment.deletedAttachmentId;
      cache.evict({ id: cache.identify({ __typename: 'Attachment', id: deleted }) });
      cache.gc();
    },
  });
}

/**
 * Shows a list, and again whenever the cache has changed.
 * @returns a function that ends it
 */
export function showWithApollo(
  client: ApolloClient,
  id: string,
  show: (files: FileList) => void,
): () => void {
  const list = client
    .watchQuery({ query: FILES, variables: { id, first: 100 } })
    .subscribe(({ data, dataState }) => {
      if (dataState === 'complete') show(filesIn(data));
    });
  return () => list.unsubscribe();
}

/**
 * Keeps the lists of a container as they are at the service, whoever changes them.
 * @returns a function that ends it
 */
export function followWithApollo(client: ApolloClient, id: string): () => void {
  const changes = client.subscribe({ query: CHANGES, variables: { id } }).subscribe(() => {
    void client.refetchQueries({ include: [FILES] });
  });
  return () => changes.unsubscribe();
}
