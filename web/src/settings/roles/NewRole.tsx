import { Alert, Button, Group, Input, Modal, Stack, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { camerasQuery } from '../../live/cameras.ts'
import { send } from '../../shared/api.ts'
import { messageOf, problemOf } from '../../shared/failure.ts'
import { useTexts } from '../../shared/texts/texts.ts'
import { done } from '../done.ts'
import { CameraSwitches } from './CameraSwitches.tsx'
import { rolePath, rolesQuery } from './roles.ts'

interface NewRoleParts {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Makes a role. */
export function NewRole({ opened, onClose }: NewRoleParts) {
  const texts = useTexts()
  const narrow = useMediaQuery('(max-width: 480px)') ?? false
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.roles.newTitle}
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
      size="lg"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <NewRoleForm onDone={onClose} />
    </Modal>
  )
}

interface Problems {
  readonly name?: string | undefined
  readonly cameras?: string | undefined
  readonly whole?: string | undefined
}

function NewRoleForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts()
  const queries = useQueryClient()
  const { data: cameras } = useQuery(camerasQuery)
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  const refused = (found: Problems) => {
    setProblems(found)
    const field = found.name ? '[name="name"]' : found.cameras ? '[role="switch"]' : undefined
    if (field) form.current?.querySelector<HTMLElement>(field)?.focus()
  }

  const create = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found: Problems = {
      name: name === '' ? texts.roles.nameMissing : undefined,
      cameras: chosen.size === 0 ? texts.roles.chooseOneNew : undefined,
    }
    if (found.name || found.cameras) return refused(found)
    setProblems({})
    setBusy(true)
    try {
      // The request would change a role that exists already, perhaps since this was opened.
      const roles = await queries.fetchQuery({ ...rolesQuery, staleTime: 0 })
      const twin = roles.find((role) => role.name.toLowerCase() === name.toLowerCase())
      if (twin) return refused({ name: texts.roles.nameTaken(twin.name) })
      await send(rolePath(name), { method: 'PUT', body: { cameras: [...chosen] } })
      done(texts.roles.created(name))
      onDone()
    } catch (error) {
      const about = problemOf(error, 'name')
      refused(about ? { name: texts.roles.nameProblem(about) } : { whole: messageOf(error, texts) })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: rolesQuery.queryKey })
    }
  }

  return (
    <form ref={form} method="post" action="settings/roles" onSubmit={(event) => void create(event)} noValidate>
      <Stack>
        {problems.whole && (
          <Alert role="alert" color="red">
            {problems.whole}
          </Alert>
        )}
        <TextInput
          name="name"
          label={texts.roles.name}
          description={texts.roles.nameHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          withAsterisk={false}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problems.name}
        />
        <div role="group" aria-label={texts.roles.camerasTitle}>
          <Input.Label component="div" mb={4}>
            {texts.roles.camerasTitle}
          </Input.Label>
          {cameras && <CameraSwitches cameras={cameras} chosen={chosen} onChange={setChosen} />}
          {problems.cameras && (
            <Input.Error role="alert" mt={4}>
              {problems.cameras}
            </Input.Error>
          )}
        </div>
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onDone}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {texts.roles.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
