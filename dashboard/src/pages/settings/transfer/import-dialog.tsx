/** What a file would change, and the button that does it. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import { useWords } from '../../../language/language.tsx'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { useNotify } from '../../../parts/notify.tsx'
import { ChangeList } from '../change-list.tsx'
import { settingWords } from '../words.ts'
import type { ImportPlan } from './plan.ts'
import { words } from './words.ts'

export interface Import extends ImportPlan {
  /** Of the file. */
  name: string
  given: Record<string, unknown>
}

export interface ImportDialogProps {
  chosen: Import
  opened: boolean
  onClose(): void
}

export function ImportDialog({ chosen, opened, onClose }: ImportDialogProps) {
  const w = useWords(words)
  const notify = useNotify()
  const queries = useQueryClient()
  const { name, given, changes, problems, unknown } = chosen
  const apply = useMutation({
    mutationFn: () => post('einstellungen/import', { body: given }),
    async onSuccess({ geaendert, unbekannt }) {
      await queries.invalidateQueries()
      const ignored = unbekannt.length > 0 ? ` ${w.unknown(unbekannt.join(', '))}` : ''
      notify.done(w.applied(geaendert.length) + ignored)
      onClose()
    },
  })
  const close = () => {
    apply.reset()
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={w.previewTitle(name)}
      closeButtonProps={{ 'aria-label': w.close }}
    >
      <Stack>
        {changes.length > 0 && <Text size="sm">{w.willChange}</Text>}
        <ChangeList changes={changes} />
        {changes.length === 0 && problems.length === 0 && <Text>{w.nothing}</Text>}
        <Problems problems={problems} />
        {unknown.length > 0 && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {w.unknown(unknown.join(', '))}
          </Text>
        )}
        <ErrorNotice error={apply.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {w.cancel}
          </Button>
          <Button
            disabled={changes.length === 0 || problems.length > 0}
            loading={apply.isPending}
            onClick={() => apply.mutate()}
          >
            {w.apply}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Problems({ problems }: Pick<ImportPlan, 'problems'>) {
  const w = useWords(words)
  const labels = useWords(settingWords)
  if (problems.length === 0) return null
  return (
    <div role="alert">
      <Text size="sm" c="var(--mantine-color-error)">
        {w.wrong}
      </Text>
      <List size="sm">
        {problems.map(({ name, problem }) => (
          <List.Item key={name}>
            <b>{labels[name]}</b>: {problem}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
