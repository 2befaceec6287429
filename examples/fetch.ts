/** Reads the files of a work package with fetch only. */

const FILES = `query Files($id: ID!) {
  container(id: $id) { attachments(first: 100) { nodes { fileName } } }
}`;

interface Answer {
  data?: { container: { attachments: { nodes: { fileName: string }[] } } | null };
  errors?: { message: string; extensions: { code: string } }[];
}

/** @returns the names of the files */
export async function filesWithFetch(url: string, key: string, id: string): Promise<string[]> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: FILES, variables: { id } }),
  });
  // Also answers with an error status have a body.
  const { data, errors } = (await response.json()) as Answer;
  const [error] = errors ?? [];
  if (error) throw new Error(`${error.extensions.code}: ${error.message}`);
  return (data?.container?.attachments.nodes ?? []).map(({ fileName }) => fileName);
}
