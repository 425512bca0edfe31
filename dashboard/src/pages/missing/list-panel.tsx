/**
 * The left panel of the page of missing files: the list of expected names, the pattern of their paths, and a
 * switch for lower case.
 */
import { Button, Code, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { NAMES_MAX } from '../../../../src/contract/values/input-limits.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { dropZone } from '../../uploads/drop.ts'
import { openFileDialog } from '../../uploads/uploads.ts'
import classes from './missing.module.css'
import { extractNames } from './names/extract-names.ts'
import { pathFor } from './pattern.ts'
import type { MissingComparison } from './use-missing-names.ts'
import { words } from './words.ts'

/** Maximum size of a file with names, in bytes; a list of names is far smaller. */
const MAX_LIST_FILE_BYTES = 8 * 1024 * 1024
const LIST_FILE_TYPES = '.txt,.csv,.lua,text/plain,text/csv'

export function ListPanel(comparison: MissingComparison) {
  const w = useWords(words)
  const { state, changeState } = comparison
  const openLists = useOpenLists(comparison)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const dropZoneProps = dropZone({
    onFiles: async readFiles => openLists((await readFiles()).map(({ file }) => file)),
    onHoverChange: setDraggedOver,
  })
  return (
    <Panel className={classes.zone} {...dropZoneProps}>
      <Stack>
        <Textarea
          label={w.list}
          description={isDraggedOver ? w.dropList : w.listHint}
          placeholder={w.listExample}
          // The height is fixed and does not follow the text: measuring tens of thousands of lines takes a
          // browser seconds.
          rows={12}
          resize="vertical"
          spellCheck={false}
          autoCapitalize="off"
          classNames={{ input: classes.list }}
          value={state.text}
          onChange={event => changeState({ text: event.currentTarget.value })}
        />
        <Group justify="space-between" gap="xs">
          <RecognisedNames {...comparison} />
          <Group gap="xs" ml="auto">
            {state.text !== '' && (
              <Button size="xs" variant="subtle" color="gray" onClick={() => changeState({ text: '' })}>
                {w.clear}
              </Button>
            )}
            <ButtonWithIcon
              icon={IconFileText}
              label={w.chooseList}
              size="xs"
              variant="default"
              onClick={async () =>
                openLists(await openFileDialog({ multiple: true, accept: LIST_FILE_TYPES }))
              }
            />
          </Group>
        </Group>
        <PatternField {...comparison} />
        <Switch
          label={w.lowerCase}
          description={w.smallHint}
          checked={state.small}
          onChange={event => changeState({ small: event.currentTarget.checked })}
        />
      </Stack>
    </Panel>
  )
}

/**
 * Returns a function that reads names from files and replaces the content of the text field with them. If
 * there are no names, the text field stays as it is. Refused files are reported.
 */
function useOpenLists({ changeState }: MissingComparison) {
  const w = useWords(words)
  const notify = useNotify()
  return async (files: readonly File[]) => {
    if (files.length === 0) return
    const { names, refusedNames } = await readLists(files)
    for (const name of refusedNames) notify.showRefusal(w.notText(name))
    if (names.length > 0) changeState({ text: names.join('\n') })
    else if (refusedNames.length === 0) notify.showRefusal(w.noneFound)
  }
}

function RecognisedNames({ state, foundNames }: MissingComparison) {
  const { w, format } = useTexts(words)
  const count = foundNames.names.length
  if (state.text.trim() === '') return null
  return (
    <Text size="sm" c={count === 0 ? 'var(--fundus-bad)' : 'dimmed'} role="status">
      {count === 0 ? w.noneFound : w.found(count, format.number(count), foundNames.format)}
      {count > NAMES_MAX && ` ${w.tooMany(format.number(NAMES_MAX))}`}
    </Text>
  )
}

function PatternField({ state: { pattern }, changeState, names, fault }: MissingComparison) {
  const w = useWords(words)
  const pathTexts = useWords(pathWords)
  const [example = w.listExample.split('\n')[0]!] = names
  const faultText = fault && (fault === 'star' ? w.patternStar : pathTexts[fault])
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
      error={faultText}
      onChange={event => changeState({ pattern: event.currentTarget.value.trim() })}
    />
  )
}

/**
 * Reads the names in the files. `refusedNames` contains the names of the files that are too large, unreadable
 * or not text.
 */
async function readLists(files: readonly File[]) {
  const names: string[] = []
  const refusedNames: string[] = []
  for (const file of files) {
    const text = file.size > MAX_LIST_FILE_BYTES ? '\0' : await file.text().catch(() => '\0')
    if (text.includes('\0')) refusedNames.push(file.name)
    else names.push(...extractNames(text, file.name).names)
  }
  return { names: [...new Set(names)], refusedNames }
}
