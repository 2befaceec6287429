/** The way to the pages of administrators. Their script is loaded for administrators only. */
import { lazy, Suspense } from 'react';
import type { AdministrationSection } from '../administration/administration';
import { Failure, Loading, Missing } from './failure';
import { useMe } from './me';

const Administration = lazy(() => import('../administration/administration'));

export function AdministrationPage({
  section,
  id,
}: {
  section: AdministrationSection;
  id: string;
}) {
  const me = useMe();
  if (me.isPending) return <Loading />;
  if (me.isError) return <Failure whole error={me.error} again={() => void me.refetch()} />;
  if (!me.data.viewer.admin) return <Missing />;
  return (
    <Suspense fallback={<Loading />}>
      <Administration section={section} id={id} />
    </Suspense>
  );
}
