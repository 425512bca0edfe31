/**
 * The beginning of the row above the files: the button that shows or hides the folder tree, links to the
 * folders above the open one, the page heading, and the commands for the open folder. The links are also drop
 * targets.
 */
import { ActionIcon, Anchor, Menu } from '@mantine/core'
import { IconDots, IconFolders, IconLayoutSidebarLeftCollapse, IconListSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { ancestorsAndSelf, nameOf } from '../../state/paths.ts'
import { isAccountFolder, maySeeFolder } from '../../state/rights.ts'
import { IconButton, MenuEntry } from '../../ui/buttons.tsx'
import { RovingFocus } from '../../ui/keys/roving-focus.tsx'
import { folderDropZone } from '../actions/drag.ts'
import { CommandEntries, useCommandLabel } from '../commands/command-menu.tsx'
import { appliesTo, COMMANDS } from '../commands/commands.tsx'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from '../listing/search.ts'
import { words } from '../words.ts'
import classes from './bar.module.css'

export interface TreeSwitch {
  isShown: boolean
  toggle(): void
}

export interface BreadcrumbsProps {
  /** The page heading: the name of the open folder, or „Treffer für …“ for a search. */
  title: string
  treeSwitch: TreeSwitch
}

export function Breadcrumbs({ title, treeSwitch }: BreadcrumbsProps) {
  const w = useWords(words)
  const { search } = useFilesAddress()
  return (
    <RovingFocus label={w.location} className={classes.location}>
      <IconButton
        icon={treeSwitch.isShown ? IconLayoutSidebarLeftCollapse : IconFolders}
        label={treeSwitch.isShown ? w.hideFolders : w.showFolders}
        size="lg"
        onClick={treeSwitch.toggle}
      />
      <nav aria-label={w.crumbs} className={classes.crumbs}>
        <ol>
          {foldersAbove(search).map(path => (
            <li key={path}>
              <Breadcrumb path={path} />
            </li>
          ))}
          <li className={classes.here}>
            <h1 title={title}>{title}</h1>
          </li>
        </ol>
      </nav>
      <FolderTools folder={search.ordner} />
    </RovingFocus>
  )
}

/**
 * The folders above the open one: the top folder, and those that the account may see. For a search, also the
 * folder that is searched.
 */
function foldersAbove({ ordner, suche }: { ordner: string; suche: string }): readonly string[] {
  const folders = ['', ...ancestorsAndSelf(ordner).filter(maySeeFolder)]
  return suche === '' ? folders.slice(0, -1) : folders
}

function Breadcrumb({ path }: { path: string }) {
  const w = useWords(words)
  const { moveTo } = useFilesPage()
  const { folderHref } = useFilesAddress()
  return (
    <Anchor
      component={Link}
      href={folderHref(path)}
      className={classes.crumb}
      {...folderDropZone(path, moveTo)}
    >
      {path === '' ? w.top : isAccountFolder(path) ? path : nameOf(path)}
    </Anchor>
  )
}

function FolderTools({ folder }: { folder: string }) {
  const w = useWords(words)
  const { commands } = useFilesPage()
  const { search } = useFilesAddress()
  const { icon, run } = COMMANDS.newFolder
  const label = useCommandLabel()(COMMANDS.newFolder, folder)
  return (
    <>
      {search.suche === '' && appliesTo(COMMANDS.newFolder, folder) && (
        <IconButton
          icon={icon}
          label={label}
          size="lg"
          className={classes.wideOnly}
          onClick={() => run(folder, commands)}
        />
      )}
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={w.folderMenu}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <CommandEntries target={folder} />
          <Menu.Divider />
          <MenuEntry icon={IconListSearch} label={w.missingFiles} href={PAGES.missing} page />
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
