/** Reads the files of a work package with urql. */
import { cacheExchange, Client, fetchExchange, gql } from '@urql/core';

const FILES = gql<
  { container: { attachments: { nodes: { fileName: string }[] } } | null },
  { id: string }
>`
  query Files($id: ID!) {
    container(id: $id) {
      id
      attachments(first: 100) {
        nodes {
          id
          fileName
        }
      }
    }
  }
`;

/** @returns the names of the files */
export async function filesWithUrql(url: string, key: string, id: string): Promise<string[]> {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
  });
  const { data, error } = await client.query(FILES, { id }).toPromise();
  if (error) throw error;
  return (data?.container?.attachments.nodes ?? []).map(({ fileName }) => fileName);
}
