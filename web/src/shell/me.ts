import { queryOptions, useQuery } from '@tanstack/react-query';
import { MeDocument } from '../generated/documents';
import { moorage, showPerson } from '../service';

/** The person who is signed in, and the limits of the service. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const answer = await moorage.query(MeDocument, {}, { signal });
    // The anonymous user has no login.
    if (answer.viewer.login) showPerson(answer.viewer.databaseId);
    return answer;
  },
});
export const useMe = () => useQuery(me);
