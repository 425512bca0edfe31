/** The left panel: the list of expected names, and the pattern of their paths. */
import { Button, Code, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { NAMES_MAX } from '../../../../src/contract/values/limits.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { SignButton } from '../../ui/buttons.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { dropZone } from '../../uploads/drop.ts'
import { openFileDialog } from '../../uploads/uploads.ts'
import classes from './missing.module.css'
import { namesOf } from './names/names-of.ts'
import { pathFor } from './pattern.ts'
import type { MissingComparison } from './use-missing.ts'
import { words } from './words.ts'

/** Maximum size of a file with names, in bytes; a list of names is far smaller. */
const MAX_BYTES = 8 * 1024 * 1024
const LISTS = '.txt,.csv,.lua,text/plain,text/csv'

export function ListPanel(missing: MissingComparison) {
  const w = useWords(words)
  const { state, change } = missing
  const open = useOpenList(missing)
  const [over, setOver] = useState(false)
  const zone = dropZone({
    onFiles: async files => open((await files).map(({ file }) => file)),
    onOver: setOver,
  })
  return (
    <Panel className={classes.zone} {...zone}>
      <Stack>
        <Textarea
          label={w.list}
          description={over ? w.dropList : w.listHint}
          placeholder={w.listExample}
          // The height is fixed and does not follow the text: measuring tens of thousands of lines takes a
          // browser seconds.
          rows={12}
          resize="vertical"
          spellCheck={false}
          autoCapitalize="off"
          classNames={{ input: classes.list }}
          value={state.text}
          onChange={event => change({ text: event.currentTarget.value })}
        />
        <Group justify="space-between" gap="xs">
          <RecognisedNames {...missing} />
          <Group gap="xs" ml="auto">
            {state.text !== '' && (
              <Button size="xs" variant="subtle" color="gray" onClick={() => change({ text: '' })}>
                {w.clear}
              </Button>
            )}
            <SignButton
              icon={IconFileText}
              label={w.chooseList}
              size="xs"
              variant="default"
              onClick={async () => open(await openFileDialog({ multiple: true, accept: LISTS }))}
            />
          </Group>
        </Group>
        <Pattern {...missing} />
        <Switch
          label={w.small}
          description={w.smallHint}
          checked={state.small}
          onChange={event => change({ small: event.currentTarget.checked })}
        />
      </Stack>
    </Panel>
  )
}

/**
 * Returns a function that reads names from files and writes them into the field, where they can be seen and
 * changed.
 */
function useOpenList({ change }: MissingComparison) {
  const w = useWords(words)
  const notify = useNotify()
  return async (files: readonly File[]) => {
    if (files.length === 0) return
    const { names, refused } = await readLists(files)
    for (const name of refused) notify.refused(w.notText(name))
    if (names.length > 0) change({ text: names.join('\n') })
    else if (refused.length === 0) notify.refused(w.noneFound)
  }
}

function RecognisedNames({ state, found }: MissingComparison) {
  const { w, format } = useTexts(words)
  const count = found.names.length
  if (state.text.trim() === '') return null
  return (
    <Text size="sm" c={count === 0 ? 'var(--fundus-bad)' : 'dimmed'} role="status">
      {count === 0 ? w.noneFound : w.found(count, format.number(count), found.form)}
      {count > NAMES_MAX && ` ${w.tooMany(format.number(NAMES_MAX))}`}
    </Text>
  )
}

function Pattern({ state: { pattern }, change, names, fault }: MissingComparison) {
  const w = useWords(words)
  const paths = useWords(pathWords)
  const [example = w.listExample.split('\n')[0]!] = names
  const wrong = fault && (fault === 'star' ? w.patternStar : paths[fault])
  return (
    <TextInput
      label={w.pattern}
      description={
        <>
          {w.patternHint} {!fault && <Code>{`${example} → ${pathFor(pattern, example)}`}</Code>}
        </>
      }
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={pattern}
      error={wrong}
      onChange={event => change({ pattern: event.currentTarget.value.trim() })}
    />
  )
}

/** The names in the files, and the file names of those that are not text. */
async function readLists(files: readonly File[]) {
  const names: string[] = []
  const refused: string[] = []
  for (const file of files) {
    const text = file.size > MAX_BYTES ? '\0' : await file.text().catch(() => '\0')
    if (text.includes('\0')) refused.push(file.name)
    else names.push(...namesOf(text, file.name).names)
  }
  return { names: [...new Set(names)], refused }
}
