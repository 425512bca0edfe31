/** Moving files or a folder: the target is chosen in the tree or typed; refused files are listed with the reason. */
import { Alert, List, TextInput } from '@mantine/core'
import { useGet } from '../../../api/use-get.ts'
import { useTexts, useWords } from '../../../language/language.tsx'
import { useServiceText } from '../../../language/service-text.ts'
import { tidyFolder } from '../../../parts/folder-list.ts'
import { FormDialog, useTextForm } from '../../../parts/form.tsx'
import { folderOf, isWithin, nameOf } from '../../../parts/paths.ts'
import { Quiet } from '../../../parts/quiet.tsx'
import { countOf, filesOf, isWhole, type Meant } from '../selection/meant.ts'
import { Tree } from '../tree/tree.tsx'
import { actionWords } from '../words.ts'
import classes from './dialogs.module.css'
import { type Retrievals, useFolderRetrievals, useRetrievalSentences, useRetrievals } from './retrievals.ts'
import type { Actions, Refused } from './use-actions.ts'

interface DialogProps {
  actions: Actions
  onClose(): void
}

export function MoveFilesDialog({ meant, actions, onClose }: DialogProps & { meant: Meant }) {
  const { w, format } = useTexts(actionWords)
  const files = filesOf(meant)
  const [first] = files
  const title =
    files.length === 1 && first ? w.moveOne(nameOf(first.path)) : w.moveMany(format.number(countOf(meant)))
  return (
    <MoveDialog
      title={title}
      start={isWhole(meant) ? (meant.query.ordner ?? '') : first ? folderOf(first.path) : ''}
      retrievals={useRetrievals(meant)}
      allows={target => isWhole(meant) || files.some(({ path }) => folderOf(path) !== target)}
      onMove={target => actions.move(meant, target)}
      onClose={onClose}
    />
  )
}

export function MoveFolderDialog({ folder, actions, onClose }: DialogProps & { folder: string }) {
  const w = useWords(actionWords)
  return (
    <MoveDialog
      title={w.moveOne(nameOf(folder))}
      start={folderOf(folder)}
      retrievals={useFolderRetrievals(folder)}
      allows={target => !isWithin(target, folder) && target !== folderOf(folder)}
      onMove={async target => {
        await actions.moveFolder(folder, target)
        return []
      }}
      onClose={onClose}
    />
  )
}

interface MoveDialogProps {
  title: string
  start: string
  retrievals: Retrievals | undefined
  allows(target: string): boolean
  onMove(target: string): Promise<readonly Refused[]>
  onClose(): void
}

function MoveDialog({ title, start, retrievals, allows, onMove, onClose }: MoveDialogProps) {
  const w = useWords(actionWords)
  const { before } = useRetrievalSentences()
  const { data: folders = [] } = useGet('folders')
  const { values, set, field, form, sending } = useTextForm({
    start: { target: start },
    send: typed => onMove(tidyFolder(typed.target)),
    onSent: left => left.length === 0 && onClose(),
  })
  const target = tidyFolder(values.target)
  const refused = sending.data ?? []
  return (
    <FormDialog
      {...form}
      opened
      size="lg"
      gap="sm"
      title={title}
      submit={w.moveHere}
      disabled={!allows(target)}
      onClose={onClose}
      {...(refused.length > 0 && { cancel: w.close })}
    >
      <div className={classes.tree}>
        <Tree folders={folders} current={target} onPick={picked => set({ target: picked })} />
      </div>
      <TextInput
        {...field('target')}
        label={w.moveTo}
        description={w.moveToHint}
        placeholder={w.top}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Quiet mih="1.5em">{retrievals && before(retrievals)}</Quiet>
      <RefusedList refused={refused} />
    </FormDialog>
  )
}

/** Refused files that are named; the others are counted. */
const SHOWN = 50

function RefusedList({ refused }: { refused: readonly Refused[] }) {
  const { w, format } = useTexts(actionWords)
  const text = useServiceText()
  if (refused.length === 0) return null
  return (
    <Alert role="alert" color="red" variant="light" title={w.moveRefused}>
      <List size="sm" className={classes.refused}>
        {refused.slice(0, SHOWN).map(({ pfad, grund, code }) => (
          <List.Item key={pfad}>
            {pfad}: {text(grund, code)}
          </List.Item>
        ))}
        {refused.length > SHOWN && <List.Item>{w.andMore(format.number(refused.length - SHOWN))}</List.Item>}
      </List>
    </Alert>
  )
}
