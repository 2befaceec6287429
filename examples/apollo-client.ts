/** Reads the files of a work package with Apollo Client, page by page. */
import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client';
import { possibleTypes, typePolicies } from 'moorage-client/apollo';

interface Files {
  container: {
    attachments: {
      nodes: { id: string; fileName: string }[];
      pageInfo: { endCursor: string | null; hasNextPage: boolean };
    };
  } | null;
}

const FILES: TypedDocumentNode<Files, { id: string; first: number; after?: string | null }> = gql`
  query Files($id: ID!, $first: Int!, $after: String) {
    container(id: $id) {
      id
      attachments(first: $first, after: $after) {
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

/** @returns the names of the files, as the cache has them at the end */
export async function filesWithApollo(url: string, key: string, id: string): Promise<string[]> {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers: { authorization: `Bearer ${key}` } }),
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
  });
  const query = client.watchQuery({ query: FILES, variables: { id, first: 2 } });
  const subscription = query.subscribe(() => undefined);
  try {
    let { data } = await query.refetch();
    while (data?.container?.attachments.pageInfo.hasNextPage) {
      const after = data.container.attachments.pageInfo.endCursor;
      ({ data } = await query.fetchMore({ variables: { after } }));
    }
    const cached = client.readQuery({ query: FILES, variables: { id, first: 2 } });
    return (cached?.container?.attachments.nodes ?? []).map(({ fileName }) => fileName);
  } finally {
    subscription.unsubscribe();
    client.stop();
  }
}
