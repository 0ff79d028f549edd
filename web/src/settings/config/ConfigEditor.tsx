import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconGitMerge } from '@tabler/icons-react'
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { notifySuccess } from '../../ui/notify.ts'
import type { ConfigCheck, ConfigSaved } from '../../../../server/src/api-types.ts'
import { Loading } from '../../ui/Loading.tsx'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { LeaveGuard } from '../../ui/LeaveGuard.tsx'
import page from '../Page.module.css'
import { checkConfig, configTextQuery, type ConfigText } from './config-file.ts'
import classes from './ConfigPage.module.css'
import { ConflictDialog } from './ConflictDialog.tsx'
import type { EditorHandle, Found } from './Editor.tsx'
import { Problems } from './Problems.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { Saved } from './Saved.tsx'
import type { JsonSchema } from './schema.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** CodeMirror is large, so it is loaded for this page only. */
const Editor = lazy(() => import('./Editor.tsx'))

interface ConfigEditorProps {
  /** The newest version known. */
  readonly file: ConfigText
  readonly stale: boolean
  readonly schema: JsonSchema
}

/** The state of the editor; a new `round` mounts a new editor. */
interface Work {
  readonly base: ConfigText
  readonly first: string
  readonly text: string
  readonly round: number
  /** The file changed elsewhere, and the editor took the newer version. */
  readonly followed?: true
}

type Dialog = 'save' | 'conflict' | 'discard' | undefined

const keysId = 'config-keys'

export function ConfigEditor({ file, stale, schema }: ConfigEditorProps) {
  const texts = useTexts('config')
  const { config } = texts
  const queries = useQueryClient()
  const editor = useRef<EditorHandle>(null)
  const [work, setWork] = useState<Work>({ base: file, first: file.text, text: file.text, round: 0 })
  const [found, setFound] = useState<ConfigCheck>()
  const [saved, setSaved] = useState<ConfigSaved>()
  const [dialog, setDialog] = useState<Dialog>()

  const unsaved = work.text !== work.base.text
  const overtaken = file.etag !== work.base.etag
  const closeDialog = () => setDialog(undefined)
  const startFrom = (base: ConfigText, text: string) =>
    setWork(({ round }) => ({ base, first: text, text, round: round + 1 }))

  // If the text is the same, the editor stays and keeps the cursor. Unsaved changes are left alone.
  if (overtaken && file.text === work.text) setWork({ ...work, base: file })
  else if (overtaken && !unsaved) {
    setWork({ base: file, first: file.text, text: file.text, round: work.round + 1, followed: true })
  }

  const refresh = () => queries.fetchQuery({ ...configTextQuery, staleTime: 0 })
  const onSaved = async (result: ConfigSaved) => {
    setSaved(result)
    closeDialog()
    // The saved text becomes the base; anything typed since stays.
    const text = work.text
    setWork((before) => ({ ...before, base: { ...before.base, text } }))
    const fresh = await refresh()
    if (fresh.text === text) setWork((before) => ({ ...before, base: fresh }))
    // Any response can depend on the configuration; the file and its schema were just read.
    const inEditor: readonly unknown[] = [hashKey(queryKeys.config.raw), hashKey(queryKeys.config.schema)]
    await queries.invalidateQueries({ predicate: ({ queryHash }) => !inEditor.includes(queryHash) })
  }
  const onConflict = async () => {
    closeDialog()
    await refresh()
    setDialog('conflict')
  }
  const goTo = ({ line = 1, column = 1 }: Found) => {
    closeDialog()
    // The closing dialog moves the focus first.
    setTimeout(() => editor.current?.goTo(line, column), 250)
  }
  const judging = useRef<AbortController>(undefined)
  const judge = async (text: string) => {
    judging.current?.abort()
    const { signal } = (judging.current = new AbortController())
    const answer = await checkConfig(text, signal).catch(() => undefined)
    // The result belongs to an older text.
    if (signal.aborted) return undefined
    if (answer) setFound(answer)
    return answer
  }

  return (
    <>
      <div className={classes.bar}>
        <div className={classes.state} role="status">
          <span className={classes.dot} data-unsaved={unsaved || undefined} aria-hidden />
          <Text size="sm">{unsaved ? config.unsaved : config.unchanged}</Text>
          {stale && (
            <Text size="sm" c="dimmed">
              {texts.failure.stale}
            </Text>
          )}
        </div>
        <div className={page.pair}>
          <Button variant="default" disabled={!unsaved} onClick={() => setDialog('discard')}>
            {config.discard}
          </Button>
          <Button disabled={!unsaved} onClick={() => setDialog(overtaken ? 'conflict' : 'save')}>
            {config.review}
          </Button>
        </div>
      </div>

      {unsaved && overtaken && (
        <Alert color="yellow" icon={<IconAlertTriangle />} role="alert" title={config.changedMeanwhile}>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconGitMerge size={16} aria-hidden />}
            onClick={() => setDialog('conflict')}
          >
            {config.compare}
          </Button>
        </Alert>
      )}
      {work.followed && !unsaved && (
        <Alert color="blue" role="status">
          {config.changed}
        </Alert>
      )}
      {saved && <Saved saved={saved} onClose={() => setSaved(undefined)} />}

      <Suspense fallback={<Loading />}>
        <Editor
          key={work.round}
          ref={editor}
          text={work.first}
          schema={schema}
          label={config.editor}
          describedBy={keysId}
          check={judge}
          onChange={(text) => setWork((before) => ({ ...before, text }))}
          onSave={() => unsaved && setDialog(overtaken ? 'conflict' : 'save')}
        />
      </Suspense>
      <div className={classes.keys}>
        <Text size="sm" c="dimmed" id={keysId}>
          {config.keys}
        </Text>
        <Text size="sm" c="dimmed">
          {config.secrets}
        </Text>
      </div>

      <section aria-label={config.problems}>
        <Group mb="xs" role="status">
          <Text fw={600}>
            {found && (countsOf(found, texts) || config.fine)}
            {!found && config.checking}
          </Text>
        </Group>
        {found && <Problems found={found} onGo={goTo} />}
      </section>

      {dialog === 'save' && (
        <SaveDialog
          base={work.base}
          text={work.text}
          onClose={closeDialog}
          onGo={goTo}
          onSaved={(result) => void onSaved(result)}
          onConflict={() => void onConflict()}
        />
      )}
      {dialog === 'conflict' && (
        <ConflictDialog
          theirs={file}
          mine={work.text}
          onClose={closeDialog}
          onGoOn={(text) => {
            closeDialog()
            startFrom(file, text)
            if (text !== file.text) notifySuccess(config.conflict.taken)
          }}
        />
      )}
      <ConfirmDialog
        opened={dialog === 'discard'}
        title={config.discardTitle}
        confirm={config.discard}
        onClose={closeDialog}
        act={() => Promise.resolve(startFrom(file, file.text))}
      >
        <Text>{config.discardBody}</Text>
      </ConfirmDialog>
      <LeaveGuard unsaved={unsaved} of={config.editor} />
    </>
  )
}

/** `2 problems, 1 warning`; empty if there are none. */
const countsOf = ({ problems, warnings }: ConfigCheck, { config, partsSeparator }: Texts<'config'>): string =>
  [
    ...(problems.length === 0 ? [] : [config.problemCount({ count: problems.length })]),
    ...(warnings.length === 0 ? [] : [config.warningCount({ count: warnings.length })]),
  ].join(partsSeparator)
