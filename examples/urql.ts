/** Files of a work package with urql: a list, changes as they happen, and deletions. */
import { cacheExchange, Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-sse';

const FILES = gql<
  {
    container: {
      attachments: { totalCount: number; nodes: { id: string; fileName: string }[] };
    } | null;
  },
  { id: string }
>`
  query Files($id: ID!) {
    container(id: $id) {
      id
      attachments(first: 100) {
        totalCount
        nodes {
          id
          fileName
        }
      }
    }
  }
`;

const CHANGES = gql<{ attachmentChanged: { event: string } }, { id: string }>`
  subscription Changes($id: ID!) {
    attachmentChanged(containerId: $id) {
      event
    }
  }
`;

const DELETE = gql<{ deleteAttachment: { deletedAttachmentId: string } }, { id: string }>`
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
export function urqlClient(url: string, key: string): Client {
  const headers = { authorization: `Bearer ${key}` };
  // It connects again after a loss.
  const stream = createClient({ url: `${url}/graphql/stream`, headers, retryAttempts: Infinity });
  return new Client({
    url: `${url}/graphql`,
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: stream.subscribe({ query, variables: { ...variables } }, sink),
          }),
        }),
      }),
    ],
    preferGetMethod: false,
    fetchOptions: { headers },
  });
}

interface FileList {
  names: string[];
  totalCount: number;
}

/** @returns the names of the files */
export async function filesWithUrql(url: string, key: string, id: string): Promise<string[]> {
  const { data, error } = await urqlClient(url, key).query(FILES, { id }).toPromise();
  if (error) throw error;
  return (data?.container?.attachments.nodes ?? []).map(({ fileName }) => fileName);
}

/** Deletes a file. The answer names the container, so its lists are read again by themselves. */
export async function deleteWithUrql(client: Client, id: string): Promise<void> {
  const { error } = await client.mutation(DELETE, { id }).toPromise();
  if (error) throw error;
}

/**
 * Shows a list, and again whenever it was read.
 * @returns a function that ends it
 */
export function showWithUrql(
  client: Client,
  id: string,
  show: (files: FileList) => void,
): () => void {
  const list = client.query(FILES, { id }).subscribe(({ data }) => {
    const { nodes = [], totalCount = 0 } = data?.container?.attachments ?? {};
    show({ names: nodes.map(({ fileName }) => fileName), totalCount });
  });
  return () => list.unsubscribe();
}

/**
 * Keeps the lists of a container as they are at the service, whoever changes them.
 * @returns a function that ends it
 */
export function followWithUrql(client: Client, id: string): () => void {
  const changes = client.subscription(CHANGES, { id }).subscribe(() => {
    void client.query(FILES, { id }, { requestPolicy: 'network-only' }).toPromise();
  });
  return () => changes.unsubscribe();
}
