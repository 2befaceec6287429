/** One project: its name, whether it is active, and its members. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { askAgain, moorage } from '../../service';
import { Failure, Loading, Missing } from '../../shell/failure';
import { tell } from '../../shell/messages';
import { say } from '../../words';
import { Field, Form, textsOf } from '../form';
import { Frame } from '../frame';
import {
  AdministeredProjectDocument,
  CreateProjectDocument,
  UpdateProjectDocument,
} from '../generated/documents';
import { MembersOfProject } from '../people/memberships';
import { usageOf } from '../usage';
import { Quota, quotaOf } from './quota';

const above = { to: '/administration/projects', label: 'app.projects' } as const;

export function AdministeredProject({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['administration', 'project', id],
    queryFn: async ({ signal }) =>
      (await moorage.query(AdministeredProjectDocument, { id }, { signal })).project,
  });
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const project = query.data;
  if (!project) return <Missing />;
  return (
    <Frame
      title={project.name}
      above={above}
      facts={
        <>
          <bdi>{project.identifier}</bdi>
          <span>{usageOf(project.storageUsed ?? 0, project.storageQuota)}</span>
        </>
      }
    >
      <MembersOfProject id={id} project={project} />
      <section className="panel narrow">
        <h2>{say('filters.project')}</h2>
        <Form
          label={say('filters.project')}
          submit={say('admin.save')}
          version={project.updatedAt}
          ask={async () => (await query.refetch({ throwOnError: true })).data?.updatedAt}
          onSubmit={async (form) => {
            const input = {
              id: project.id,
              name: textsOf(form)['name'],
              active: form.has('active'),
              public: form.has('public'),
              storageQuota: quotaOf(form),
            };
            const { updateProject } = await moorage.mutate(UpdateProjectDocument, { input });
            tell(say('admin.saved'));
            void query.refetch();
            void askAgain(['administration', 'projects']);
            return updateProject.project.updatedAt;
          }}
        >
          <Field name="name" label={say('table.name')} defaultValue={project.name} />
          <label className="row">
            <input type="checkbox" name="active" defaultChecked={project.active} />
            {say('projects.isActive')}
          </label>
          <label className="row">
            <input type="checkbox" name="public" defaultChecked={project.public} />
            {say('projects.isPublic')}
          </label>
          <Quota bytes={project.storageQuota} />
        </Form>
      </section>
    </Frame>
  );
}

export function NewProject() {
  const navigate = useNavigate();
  return (
    <Frame title={say('projects.new')} above={above}>
      <div className="panel narrow">
        <Form
          label={say('projects.new')}
          submit={say('new.create')}
          onSubmit={async (form) => {
            const { name = '', identifier = '' } = textsOf(form);
            const input = { name, identifier, public: form.has('public') };
            const { createProject } = await moorage.mutate(CreateProjectDocument, { input });
            void askAgain(['administration', 'projects']);
            await navigate({
              to: '/administration/projects/$id',
              params: { id: String(createProject.project.databaseId) },
            });
            return undefined;
          }}
        >
          <Field name="name" label={say('table.name')} autoFocus />
          <Field
            name="identifier"
            label={say('projects.identifier')}
            hint={say('projects.identifierHint')}
          />
          <label className="row">
            <input type="checkbox" name="public" />
            {say('projects.isPublic')}
          </label>
        </Form>
      </div>
    </Frame>
  );
}
