/** Moving files or a folder: the target is chosen in the tree or typed; refused files are listed with the reason. */
import { Alert, List, TextInput } from '@mantine/core'
import { useGet } from '../../../api/use-get.ts'
import { useTexts, useWords } from '../../../language/language.tsx'
import { useServiceText } from '../../../language/service-text.ts'
import { tidyFolder } from '../../../parts/folder-list.ts'
import { FormDialog, useTextForm } from '../../../parts/form.tsx'
import { folderOf, isWithin, nameOf } from '../../../parts/paths.ts'
import { Quiet } from '../../../parts/quiet.tsx'
import { Tree } from '../tree/tree.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import classes from './dialogs.module.css'
import { type Retrievals, retrievalsOf, useFolderRetrievals, useRetrievalSentences } from './retrievals.ts'
import type { Actions, Refused } from './use-actions.ts'

interface DialogProps {
  actions: Actions
  onClose(): void
}

export function MoveFilesDialog({ files, actions, onClose }: DialogProps & { files: readonly FileAnswer[] }) {
  const { w, format } = useTexts(actionWords)
  const [first] = files
  const title =
    files.length === 1 && first ? w.moveOne(nameOf(first.path)) : w.moveMany(format.number(files.length))
  return (
    <MoveDialog
      title={title}
      start={first ? folderOf(first.path) : ''}
      retrievals={retrievalsOf(files)}
      allows={target => files.some(({ path }) => folderOf(path) !== target)}
      onMove={target => actions.move(files, target)}
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

function RefusedList({ refused }: { refused: readonly Refused[] }) {
  const w = useWords(actionWords)
  const text = useServiceText()
  if (refused.length === 0) return null
  return (
    <Alert role="alert" color="red" variant="light" title={w.moveRefused}>
      <List size="sm" className={classes.refused}>
        {refused.map(({ pfad, grund, code }) => (
          <List.Item key={pfad}>
            {pfad}: {text(grund, code)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
