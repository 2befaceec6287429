/** The parts of a project, each with how much of it the person sees. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ProjectCountsDocument, type ProjectQuery } from '../generated/documents';
import { moorage } from '../service';
import { say } from '../words';
import { totalOf } from './paged';

export const sections = {
  files: { to: '/projects/$identifier', label: 'project.files' },
  workPackages: { to: '/projects/$identifier/work_packages', label: 'project.workPackages' },
  meetings: { to: '/projects/$identifier/meetings', label: 'project.meetings' },
  posts: { to: '/projects/$identifier/posts', label: 'project.posts' },
  wikiPages: { to: '/projects/$identifier/wiki_pages', label: 'project.wikiPages' },
  storages: { to: '/projects/$identifier/storages', label: 'project.filesOf' },
  members: { to: '/projects/$identifier/members', label: 'project.members' },
} as const;
export type Section = keyof typeof sections;
export type Project = NonNullable<ProjectQuery['project']>;

export function ProjectTabs({ project, section }: { project: Project; section: Section }) {
  const { identifier } = project;
  const counts = useCounts(project);
  return (
    <nav className="tabs" aria-label={say('project.sections')}>
      {Object.entries(sections).map(([name, { to, label }]) => {
        const count = counts[name as Section];
        return (
          <Link
            key={name}
            to={to}
            params={{ identifier }}
            activeOptions={{ exact: true }}
            aria-current={name === section ? 'page' : undefined}
          >
            {say(label)}
            {count && <span className="count">{totalOf(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

/** What the person may not view has no number. */
function useCounts(project: Project) {
  const { data } = useQuery({
    queryKey: ['projectCounts', project.id],
    // What was added on another page counts at once.
    staleTime: 0,
    queryFn: ({ signal }) =>
      moorage.query(
        ProjectCountsDocument,
        {
          id: project.id,
          identifier: project.identifier,
          workPackages: project.viewerCanViewWorkPackages,
          meetings: project.viewerCanViewMeetings,
          posts: project.viewerCanViewPosts,
          wikiPages: project.viewerCanViewWikiPages,
          members: project.viewerCanViewMembers,
        },
        { signal },
      ),
  });
  return { ...data, ...data?.project };
}
