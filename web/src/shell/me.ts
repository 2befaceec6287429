import { queryOptions, useQuery } from '@tanstack/react-query';
import { MeDocument } from '../documents';
import { moorage } from '../service';

/** The person who is signed in, and the limits of the service. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => moorage.query(MeDocument, {}, { signal }),
});
export const useMe = () => useQuery(me);
