import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNarrow } from '../../ui/breakpoints.ts'
import type { ConfigSaved } from '../../../../server/src/api-types.ts'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { messageOf } from '../../api/failure.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { isOvertaken } from '../../cameras/camera-settings.ts'
import { checkConfig, orphansIn, saveConfig, type ConfigText, type OrphanedRoles } from './config-file.ts'
import type { Found } from './editor/Editor.tsx'
import classes from './SaveDialog.module.css'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { formatList } from '../../lib/format-list.ts'
import { Problems } from './Problems.tsx'

const Compare = lazy(() => import('./editor/Compare.tsx'))

interface SaveDialogProps {
  readonly base: ConfigText
  readonly text: string
  /** Several instances share the configuration. */
  readonly isShared: boolean
  readonly onClose: () => void
  readonly onGo: (found: Found) => void
  readonly onSaved: (saved: ConfigSaved) => void
  /** Called if someone else saved in the meantime. */
  readonly onConflict: () => void
}

/** Shows the changes and any problems before saving. */
export function SaveDialog({ base, text, isShared, onClose, onGo, onSaved, onConflict }: SaveDialogProps) {
  const texts = useTexts('config')
  const { config } = texts
  const narrow = useNarrow('medium')
  const check = useQuery({
    queryKey: queryKeys.config.check(text),
    queryFn: ({ signal }) => checkConfig(text, signal),
    gcTime: 0,
  })
  /** Set once the service refused the save because of orphaned roles; saving again then allows them. */
  const [orphans, setOrphans] = useState<OrphanedRoles>()
  const found = check.data
  const mayTry = check.isError || found?.problems.length === 0

  const { mutate, isPending, error } = useMutation({
    mutationFn: () => saveConfig(text, base, orphans && 'allow'),
    onSuccess: onSaved,
    onError: (error) => {
      if (isOvertaken(error)) onConflict()
      else setOrphans((before) => orphansIn(error) ?? before)
    },
  })
  const problem = error && !isOvertaken(error) && !orphansIn(error) ? messageOf(error, texts) : undefined

  return (
    <Dialog
      opened
      onClose={onClose}
      title={config.saveTitle}
      size="min(1200px, 94vw)"
      fullScreen={narrow}
      radius={narrow ? 0 : 'lg'}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {narrow ? config.saveLeadNarrow : config.saveLead}
        </Text>
        {isShared && <Text size="sm">{config.saveShared}</Text>}
        <Suspense fallback={<Loading />}>
          <Compare before={base.text} beforeLabel={config.active} after={text} afterLabel={config.yours} />
        </Suspense>
        <div role="status">
          {check.isPending && (
            <Group gap="xs">
              <Loader size="xs" aria-hidden />
              <Text size="sm">{config.checking}</Text>
            </Group>
          )}
          {found && found.problems.length > 0 && <Text>{config.fixFirst}</Text>}
          {found && found.problems.length === 0 && found.warnings.length > 0 && <Text>{config.checkWarnings}</Text>}
        </div>
        {found && <Problems found={found} onGo={onGo} />}
        {orphans && <OrphansAlert orphans={orphans} />}
        <FormProblem of={problem} error={error} />
        <DialogButtons isPending={isPending} onCancel={onClose} cancel={config.toEditor} focusCancel>
          <Button loading={isPending} disabled={!mayTry} {...(orphans && { color: 'red.8' })} onClick={() => mutate()}>
            {orphans ? config.orphans.saveAnyway : config.save}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** Names the users whose role the text no longer has. */
function OrphansAlert({ orphans }: { orphans: OrphanedRoles }) {
  const { config, users } = useTexts('config', 'users')
  const locale = useLocale()
  return (
    <Alert color="yellow" role="alert" title={config.orphans.title({ count: orphans.users.length })}>
      {config.orphans.body({ roles: formatList(orphans.roles, locale, users.orphans.more) })}
      <ul className={classes.names}>
        {orphans.users.map((name, index) => (
          // Two users of an identity provider can have the same name.
          <li key={index}>{name}</li>
        ))}
      </ul>
    </Alert>
  )
}
