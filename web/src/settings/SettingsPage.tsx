import { Anchor, Code, Paper, Stack, Text, Title } from '@mantine/core'
import { Denied } from '../frame/Denied.tsx'
import { useMay } from '../session/session.ts'
import { urlOf } from '../shared/base.ts'
import { useTexts } from '../shared/texts/texts.ts'
import { PageTitle } from '../frame/PageTitle.tsx'

/** Until there are pages for it: where an administrator finds what. Others are told that it is not theirs. */
export function SettingsPage() {
  const { settings } = useTexts()
  if (!useMay('config.manage')) return <Denied />

  return (
    <Stack maw={680} w="100%" mx="auto" px="md" py="xl" gap="lg">
      <PageTitle of={settings.page} />
      <div>
        <Title order={1} size="h2">
          {settings.title}
        </Title>
        <Text c="dimmed" mt={4}>
          {settings.lead}
        </Text>
      </div>
      <Paper p="lg" radius="lg" withBorder bg="var(--surface)">
        <Stack gap="sm">
          <Code w="fit-content">config.yml</Code>
          <Text>{settings.file}</Text>
        </Stack>
      </Paper>
      <Paper p="lg" radius="lg" withBorder bg="var(--surface)">
        <Stack gap="sm">
          <Code w="fit-content">/api</Code>
          <Text>{settings.api}</Text>
          <Anchor href={urlOf('api/openapi.json').href} target="_blank">
            {settings.reference}
          </Anchor>
        </Stack>
      </Paper>
    </Stack>
  )
}
