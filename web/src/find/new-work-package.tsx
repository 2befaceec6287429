import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CreateWorkPackageDocument, NewWorkPackageDocument } from '../generated/documents';
import { moorage } from '../service';
import { Crumbs } from '../shell/crumbs';
import { Blank, Failure, Loading, Missing, reasonOf } from '../shell/failure';
import { Heading } from '../shell/page';
import { say } from '../words';

/** The type that an address like `…/new?type=2` asks for. */
const wantedType = (): number => Number(new URLSearchParams(location.search).get('type'));

export function NewWorkPackage({ identifier }: { identifier: string }) {
  const navigate = useNavigate();
  const [wrong, setWrong] = useState<string>();
  const query = useQuery({
    queryKey: ['new', identifier],
    queryFn: ({ signal }) => moorage.query(NewWorkPackageDocument, { identifier }, { signal }),
  });
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const { project } = query.data;
  if (!project) return <Missing />;
  if (!project.viewerCanCreateWorkPackage) return <Blank icon="lock" title={say('new.mayNot')} />;
  const { id: projectId, types } = project;
  const wanted = types.find(({ databaseId }) => databaseId === wantedType());

  async function create(form: FormData): Promise<void> {
    const text = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    try {
      const { createWorkPackage } = await moorage.mutate(CreateWorkPackageDocument, {
        projectId,
        subject: text('subject'),
        typeId: text('type') || undefined,
        description: text('description') || undefined,
      });
      await navigate({
        to: '/work_packages/$id',
        params: { id: String(createWorkPackage.workPackage.databaseId) },
      });
    } catch (error) {
      setWrong(reasonOf(error));
    }
  }

  return (
    <>
      <Heading
        title={say('new.title')}
        window={say('new.in', { project: project.name })}
        above={<Crumbs project={project} />}
      />
      <div className="wrap">
        <form
          className="form-page"
          onSubmit={(event) => {
            event.preventDefault();
            void create(new FormData(event.currentTarget));
          }}
        >
          {wrong && (
            <p className="note bad" role="alert">
              {wrong}
            </p>
          )}
          <label className="field">
            {say('new.subject')}
            <input name="subject" required maxLength={255} autoFocus />
          </label>
          <label className="field">
            {say('new.type')}
            <select name="type" defaultValue={wanted?.id}>
              {types.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            {say('new.description')}
            <textarea name="description" rows={6} />
          </label>
          <div>
            <button className="button main">{say('new.create')}</button>
          </div>
        </form>
      </div>
    </>
  );
}
