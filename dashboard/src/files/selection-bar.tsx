/** The bar with the selection and its actions, at the bottom of the window, where a thumb can reach it. */
import { Anchor, Menu, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../language/language.tsx'
import { useSelection } from '../state/selection.ts'
import { ButtonWithIcon, IconButton } from '../ui/buttons.tsx'
import { CommandEntry, useCommandLabel, VariantEntries } from './commands/command-menu.tsx'
import { appliesTo, COMMAND_LIST } from './commands/commands.tsx'
import classes from './files.module.css'
import { useFilesPage } from './files-context.ts'
import { type FileTarget, fileCountOf, filesOf, isWholeResult } from './target.ts'
import { actionWords } from './words.ts'

const BUTTON_PROPS = { iconSize: 18, className: classes.barButton }

export function SelectionBar() {
  const { w } = useTexts(actionWords)
  const { selection, commands } = useFilesPage()
  const labelOf = useCommandLabel()
  const { selectedItems, selectedList } = useSelection(selection, current => current.state())
  if (!selectedList && selectedItems.size === 0) return null
  const target = selection.getSelected()
  return (
    <section className={classes.bar} data-bar aria-label={w.selection}>
      <IconButton icon={IconX} label={w.clear} size="lg" onClick={selection.clear} />
      <SelectionSummary target={target} />
      {COMMAND_LIST.filter(command => command.inSelectionBar && appliesTo(command, target)).map(command => {
        const { inSelectionBar, icon, variants, run } = command
        const name = typeof inSelectionBar === 'string' ? w[inSelectionBar] : labelOf(command, target)
        const buttonProps = { ...BUTTON_PROPS, icon, label: name, title: name, 'aria-label': name }
        return variants ? (
          <Menu key={name} position="top" width={220}>
            <Menu.Target>
              <ButtonWithIcon {...buttonProps} {...(!variants.runsFirstVariant && { variant: 'default' })} />
            </Menu.Target>
            <Menu.Dropdown>
              {!variants.runsFirstVariant && (
                <>
                  <CommandEntry command={command} target={target} />
                  <Menu.Divider />
                  <Menu.Label>{w[variants.textName]}</Menu.Label>
                </>
              )}
              <VariantEntries command={command} target={target} />
            </Menu.Dropdown>
          </Menu>
        ) : (
          <ButtonWithIcon
            key={name}
            {...buttonProps}
            variant="default"
            onClick={() => run?.(target, commands)}
          />
        )
      })}
    </section>
  )
}

/**
 * The number of selected files, how many of them are on other pages and, unless the whole list is selected,
 * their size. If the whole page is selected and the list has more files, also a link that selects all of
 * them.
 */
function SelectionSummary({ target }: { target: FileTarget }) {
  const { w, format } = useTexts(actionWords)
  const { selection } = useFilesPage()
  const { shownItems, wholeList } = selection.state()
  const count = fileCountOf(target)
  const totalBytes = filesOf(target).reduce((sum, { size }) => sum + size, 0)
  const shownIds = new Set(shownItems.map(({ id }) => id))
  const elsewhereCount = filesOf(target).filter(({ id }) => !shownIds.has(id)).length
  return (
    <div className={classes.barText}>
      <Text size="sm" role="status">
        <b>{w.chosen(count, format.number(count))}</b>
        {!isWholeResult(target) && ` · ${format.bytes(totalBytes)}`}
        {elsewhereCount > 0 && (
          <Text size="xs" c="dimmed" component="span" display="block">
            {w.onOtherPages(format.number(elsewhereCount))}
          </Text>
        )}
      </Text>
      {selection.maySelectWholeList() && (
        <Anchor component="button" type="button" size="sm" onClick={selection.selectWholeList}>
          {w.chooseAll(format.number(wholeList?.total ?? 0))}
        </Anchor>
      )}
    </div>
  )
}
