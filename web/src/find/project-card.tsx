import { Link } from '@tanstack/react-router';
import type { ProjectCardFragment } from '../generated/documents';
import { say } from '../words';

const tones = ['#0d5468', '#a02671', '#1e5288', '#1a6844', '#7a5200', '#5a3c96'];

/** A flag that tells projects apart at a glance. It repeats the name, so it needs no words. */
function Flag({ id }: { id: number }) {
  const tone = tones[id % tones.length];
  const shapes = [
    <path key="0" d="M0 12h36v12H0z" fill="#fff" />,
    <path key="1" d="M18 6l12 12-12 12L6 18z" fill="#fff" />,
    <path key="2" d="M18 0h18v18H18zM0 18h18v18H0z" fill="#fff" />,
    <path key="3" d="M12 0h12v36H12z" fill="#fff" />,
    <circle key="4" cx="18" cy="18" r="9" fill="#fff" />,
  ];
  return (
    <svg className="flag" viewBox="0 0 36 36" aria-hidden="true">
      <path d="M0 0h36v36H0z" fill={tone} />
      {shapes[id % shapes.length]}
    </svg>
  );
}

export function ProjectCard({ project }: { project: ProjectCardFragment }) {
  const { identifier, storages } = project;
  return (
    <li className="card">
      <Flag id={project.databaseId} />
      <div>
        <p className="title">
          <Link to="/projects/$identifier" params={{ identifier }}>
            <bdi>{project.name}</bdi>
          </Link>
        </p>
        <p className="soft small">
          {storages.length > 0
            ? say('project.storages', { count: storages.length })
            : say('project.noStorages')}
        </p>
      </div>
    </li>
  );
}
