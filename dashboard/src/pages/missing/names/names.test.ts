import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { extractNames } from './extract-names.ts'

const OX = `
-- Nahrung
return {
	['testburger'] = {
		label = 'Test Burger',
		weight = 220,
		client = {
			image = 'burger_chicken.png',
			status = { hunger = 200000 },
			export = 'ox_inventory_examples.testburger'
		},
		server = {
			export = 'x.testburger',
			test = 'what an amazingly delicious burger, amirite?'
		},
		buttons = {
			{
				label = 'Lick it',
				action = function(slot)
					if slot then print('You licked, the burger') end
				end
			},
			{ label = 'Squeeze it', action = function(slot) print({ 'a' }) end }
		},
		consume = 0.3
	},

	["bandage"] = { label = "Bandage", weight = 115, },
	--[[ ['gone'] = { label = 'Gone' }, ]]
	water = {
		label = 'Water \\'still\\'',
		weight = 500,
		client = { usetime = 2500, cancel = true, prop = { model = \`prop_ld_flow_bottle\`, pos = vec3(0.03, 0.03, 0.02) } },
	},
}
`
const OX_WEAPONS = `
return {
	Weapons = {
		['WEAPON_ADVANCEDRIFLE'] = { label = 'Advanced Rifle', weight = 3180, durability = 0.03, ammoname = 'ammo-rifle' },
	},
	Components = {
		['at_flashlight'] = {
			label = 'Tactical Flashlight',
			client = { component = { \`COMPONENT_AT_AR_FLSH\`, \`COMPONENT_AT_PI_FLSH\` }, usetime = 2500 }
		},
	},
	Ammo = { ['ammo-22'] = { label = '.22 Long Rifle', weight = 3 } },
}
`
const QB = `
QBShared = QBShared or {}
QBShared.Items = {
    weapon_unarmed = { name = 'weapon_unarmed', label = 'Fists', weight = 1000, type = 'weapon', ammotype = nil, image = 'placeholder.png', unique = true },
    ['tosti'] = {['name'] = 'tosti', ['label'] = 'Grilled Cheese', ['weight'] = 200, ['image'] = 'tosti.png', ['description'] = 'Nice, to eat'},
}
QBShared.Items['late'] = { label = 'Late' }
`

describe('Lua', () => {
  test.each([
    ['ox_inventory', OX, ['burger_chicken.png', 'bandage', 'water']],
    ['ox_inventory weapons', OX_WEAPONS, ['WEAPON_ADVANCEDRIFLE', 'at_flashlight', 'ammo-22']],
    ['qb-core', QB, ['placeholder.png', 'tosti.png', 'late']],
    [
      'a list of items',
      `Items = { { name = 'bread', label = 'Bread' }, { name = "salt", label = '' } }`,
      ['bread', 'salt'],
    ],
    [
      'an address as image',
      `return { a = { label = 'A', image = 'https://x.org/f/items/pic.png?v=2' } }`,
      ['pic.png'],
    ],
    ['strings', `local names = { 'apple', "bread", [[water]] }`, ['apple', 'bread', 'water']],
    ['flags', `Allowed = { apple = true, ['bread'] = 3 }`, ['apple', 'bread']],
    ['names with nothing behind them', `return { ['apple'] = {}, bread = {}, {} }`, ['apple', 'bread']],
    ['cut off', `return { ['a'] = { label = 'A' }, ['b'] = { label = `, ['a', 'b']],
    ['put together', `return { ['a'] = { label = 'A' .. 'B', weight = 1 } }`, ['a']],
    ['comparison', `x = a == b return { c = { weight = 1 } }`, ['c']],
    ['nothing in it', 'return {}', []],
  ])('%s', (_, text, names) => expect(extractNames(text)).toEqual({ format: 'lua', names }))

  test('never hangs or fails, whatever the text', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '=',
      ',',
      "'a'",
      'label',
      'function',
      'end',
      '--',
      '\n',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), parts =>
        Array.isArray(extractNames(parts.join(''), 'x.lua').names),
      ),
    )
  })
})

describe('CSV', () => {
  test.each([
    ['name;label\napple;Apfel\nbread;Brot\n', ['apple', 'bread']],
    ['label,name,image\nApfel,apple,apple.png\nBrot,bread,\n', ['apple.png', 'bread']],
    ['"Name","Preis"\r\n"apple","1,50"\r\n"a ""b""","2"\r\n', ['apple', 'a "b"']],
    ['apple;1\nbread;2\n', ['apple', 'bread']],
    ['name\tlabel\napple\tApfel', ['apple']],
  ])('%j', (text, names) => expect(extractNames(text)).toEqual({ format: 'csv', names }))

  test('a file called so is one, also with a single column', () => {
    expect(extractNames('Name\napple\nbread', 'liste.csv').names).toEqual(['apple', 'bread'])
    expect(extractNames('apple\nbread', 'liste.csv').names).toEqual(['apple', 'bread'])
    expect(extractNames('\n  \nName,Preis\napple,2\nbread,3').names).toEqual(['apple', 'bread'])
  })
})

describe('a list', () => {
  test.each([
    ['apple\nbread\n\napple', ['apple', 'bread']],
    ['apple, bread; water', ['apple', 'bread', 'water']],
    ['- apple\n* bread\n• water', ['apple', 'bread', 'water']],
    ['"apple",\n"bread",', ['apple', 'bread']],
    ['# Essen\napple\n// weg\n-- auch weg\nbread', ['apple', 'bread']],
    ['# Essen, Trinken\napple, bread -- frisch, # alt; weg\n  -- a, b', ['apple', 'bread -- frisch']],
    ['  apple.png \r\n\tbread.png', ['apple.png', 'bread.png']],
    ['', []],
  ])('%j', (text, names) => expect(extractNames(text)).toEqual({ format: 'text', names }))
})
