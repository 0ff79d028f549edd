import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { statsQuery } from '../../cameras/queries.ts'
import { urlOf } from '../../lib/base.ts'
import { loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import pageClasses from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { AuditOutputs } from './AuditOutputs.tsx'
import { CameraCosts } from './CameraCosts.tsx'
import { ServiceFacts } from './ServiceFacts.tsx'
import classes from './SystemPage.module.css'

/** The service and its cameras, with the resources they use. */
export function SystemPage() {
  const texts = useTexts('system', 'settings')
  const { system } = texts
  const stats = loadOf(useQuery(statsQuery))

  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.system} lead={system.lead} />
      {stats.state === 'loading' && <ListSkeleton />}
      {stats.state === 'failed' && <ErrorState part error={stats.error} again={stats.again} />}
      {stats.state === 'ready' && (
        <>
          {stats.stale && <StaleAlert />}
          {stats.value.service && <ServiceFacts of={stats.value.service} />}
          {stats.value.service && <AuditOutputs of={stats.value.service.audit_outputs} />}
          <Card title={system.cameras} lead={system.camerasLead}>
            <CameraCosts of={stats.value.cameras} />
          </Card>
        </>
      )}
      <Card title={system.links} lead={system.linksLead}>
        <ul className={classes.links}>
          <ProgramLink path="api/docs" text={system.reference} />
          <ProgramLink path="api/metrics" text={system.metrics} />
          <ProgramLink path="api/health" text={system.health} />
        </ul>
      </Card>
    </div>
  )
}

function ProgramLink({ path, text }: { path: string; text: string }) {
  return (
    <li>
      <Anchor href={urlOf(path).href} target="_blank" rel="noreferrer" className={classes.link}>
        {text}
        <IconExternalLink size={16} aria-hidden />
      </Anchor>
      <code className={classes.path}>{urlOf(path).pathname}</code>
    </li>
  )
}
