/** The requests that the explorer offers. They fit the demo project; ids are in the variables. */

export interface Example {
  title: string;
  /** What it does, in one or two sentences. */
  note: string;
  query: string;
  variables?: { [name: string]: unknown };
}

/** The global id of work package 1. */
const WORK_PACKAGE_1 = 'V29ya1BhY2thZ2U6MQ';

/** The first tab of somebody who opens the explorer for the first time. */
export const firstQuery = `# Your name, and five work packages with files.
# Run it with the button at the right, or Ctrl-Enter.
# The buttons at the left open examples and docs.
query FirstLook {
  viewer {
    name
  }
  workPackages(first: 5) {
    totalCount
    nodes {
      # The global id. Mutations and subscriptions take it.
      id
      subject
      attachments(first: 3) {
        totalCount
        nodes {
          fileName
        }
      }
    }
  }
}
`;

export const examples: Example[] = [
  {
    title: 'First look',
    note: 'Your name, and the first work packages that you see.',
    query: firstQuery,
  },
  {
    title: 'Files of a work package',
    note: 'The attachments of one work package, sorted by name.',
    variables: { id: '1' },
    query: `# The id is the number of the work package, or its global id.
query FilesOfWorkPackage($id: ID!) {
  workPackage(id: $id) {
    id
    subject
    # Whether you may add files here.
    viewerCanAddAttachment
    attachments(first: 20) {
      totalCount
      nodes {
        databaseId
        fileName
        # In bytes.
        fileSize
        contentType
        status
        createdAt
        author {
          name
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Upload a file',
    note: 'Run it and choose a file. The explorer sends it as a form.',
    variables: { containerId: WORK_PACKAGE_1, fileName: 'example.txt' },
    query: `# The containerId is the global id of a work package, meeting, post, wiki page or comment.
# You choose the file when you run this.
mutation UploadFile($containerId: ID!, $fileName: String!, $file: Upload!) {
  createAttachment(
    input: { containerId: $containerId, fileName: $fileName, file: $file }
  ) {
    attachment {
      id
      databaseId
      fileName
      fileSize
      digest {
        algorithm
        hash
      }
    }
  }
}
`,
  },
  {
    title: 'Linked files',
    note: 'The links of a work package to files in storages.',
    variables: { id: '1' },
    query: `# The storages are asked what they know now.
# If one does not answer, you get what was last known.
query LinkedFiles($id: ID!) {
  workPackage(id: $id) {
    subject
    fileLinks(first: 20) {
      totalCount
      nodes {
        id
        status
        storage {
          name
          # Whether you are connected with the storage.
          authorizationState
        }
        originData {
          name
          size
          lastModifiedAt
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Subscribe to changes',
    note: 'Shows each change of the files of a work package. Upload one in another tab.',
    variables: { containerId: WORK_PACKAGE_1 },
    query: `# It waits until a file is added, changed or removed. Then it shows the change.
# The same button ends it.
subscription FilesChanged($containerId: ID!) {
  attachmentChanged(containerId: $containerId) {
    event
    createdAt
    # Null after a removal.
    attachment {
      databaseId
      fileName
      status
    }
  }
}
`,
  },
  {
    title: 'Search',
    note: 'Work packages by words or number, and projects by name.',
    variables: { words: 'bricks' },
    query: `# Every word must be found. Case and accents do not matter.
query Search($words: String!) {
  workPackages(filter: { search: $words }, first: 10) {
    totalCount
    nodes {
      databaseId
      subject
      project {
        name
      }
    }
  }
  projects(filter: { search: $words }, first: 10) {
    totalCount
    nodes {
      identifier
      name
    }
  }
}
`,
  },
];
