import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { loadOf } from '../api/load.ts'
import { Loading } from '../ui/feedback/Loading.tsx'
import { AcceptForm } from './AcceptForm.tsx'
import { LinkProblem } from './LinkProblem.tsx'
import { openedLinkQuery, type OneTimeLink } from './one-time-link.ts'

/** By an invitation, a person chooses a password, and a name if it has none, and becomes a user (LINK-4). */
export function InvitePage() {
  const { id } = useParams({ from: '/invite/$id' })
  return <OneTimeLinkPage link={{ kind: 'invitation', id, secret: useSecret() }} />
}

/** By a reset link, a user sets a new password (LINK-4). */
export function ResetPage() {
  const { id } = useParams({ from: '/reset/$id' })
  return <OneTimeLinkPage link={{ kind: 'reset', id, secret: useSecret() }} />
}

const useSecret = (): string => useLocation({ select: ({ hash }) => hash })

function OneTimeLinkPage({ link }: { link: OneTimeLink }) {
  const opened = loadOf(useQuery(openedLinkQuery(link)))
  switch (opened.state) {
    case 'loading':
      return <Loading />
    case 'failed':
      return <LinkProblem error={opened.error} again={opened.again} />
    case 'ready':
      return <AcceptForm key={link.id} link={link} opened={opened.value} />
  }
}
