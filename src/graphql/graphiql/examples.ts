/** The tabs that GraphiQL opens with; each runs as it is against the demo organization. */
export const EXAMPLES: readonly { readonly query: string; readonly variables?: object }[] = [
  {
    query: `# The directory: members with a search, a page at a time.
# Give $after the endCursor of the page before, among the variables below.
query Directory($search: String = "", $after: String) {
  members(search: $search, first: 5, after: $after) {
    edges {
      node {
        id
        firstName
        lastName
        emailAddress
        phoneNumber
        tags {
          name
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
  },
  {
    query: `# Departments with their head and the first of their members.
query Roster {
  departments(first: 20) {
    edges {
      node {
        name
        membersCount
        headOfDepartment {
          firstName
          lastName
        }
        members(first: 5) {
          edges {
            node {
              firstName
              lastName
              tags {
                name
                color
              }
            }
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Forms, and the latest answers next to their questions.
query Forms {
  forms(first: 3) {
    edges {
      node {
        formId
        title
        acceptingResponse
        responses(last: 2) {
          edges {
            node {
              submittedAt
              answers {
                field {
                  question
                  fieldType
                }
                value
              }
            }
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Creates a member. Run it twice to see the error "member_exists".
mutation CreateMember($input: CreateMemberInput!) {
  createMember(input: $input) {
    member {
      id
      firstName
      emailAddress
      phoneNumber
    }
  }
}
`,
    variables: {
      input: {
        firstName: 'Robin',
        lastName: 'Field',
        emailAddress: 'robin.field@example.org',
        phoneNumber: '(202) 555-0123',
      },
    },
  },
  {
    query: `# Whose key this is, what it may do, and its budget.
query Viewer {
  viewer {
    keyName
    scopes
    expiresAt
    rateLimit
    organization {
      name
      country
    }
  }
}
`,
  },
];
