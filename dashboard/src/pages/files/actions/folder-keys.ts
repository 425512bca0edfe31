/** The keys of a folder that has the focus, as a line of the tree or as a card. */
import type { FolderMenuActions } from './context-menu.tsx'

type Command = 'onRenameFolder' | 'onMoveFolder' | 'onRemoveFolder'

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['r', 'onRenameFolder'],
  ['m', 'onMoveFolder'],
  ['Delete', 'onRemoveFolder'],
])

/** Whether the key means something; the top is no folder that could be changed. */
export function runFolderKey(
  keys: string,
  folder: string,
  actions: Pick<FolderMenuActions, Command>,
): boolean {
  const command = folder === '' ? undefined : COMMANDS.get(keys)
  if (command) actions[command](folder)
  return command !== undefined
}
