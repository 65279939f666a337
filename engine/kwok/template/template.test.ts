import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { executeTemplate } from './execute.ts';
import { namesOf, plainFunctions } from './functions.ts';
import { parseTemplate } from './parse.ts';

const functions = new Map(plainFunctions());
const render = (template: string, data: JsonValue = {}): string => executeTemplate(parseTemplate(template, namesOf(functions)), data, functions);
const pod = { metadata: { name: 'p', labels: { app: 'web' } }, spec: { containers: [{ name: 'a' }, { name: 'b' }], hostNetwork: false } };

describe('templates', () => {
  it.each<readonly [string, string, string]>([
    ['fields', '{{ .metadata.name }}', 'p'],
    ['what is not there', '{{ .status.phase }}|{{ .x }}', '<no value>|<no value>'],
    ['trimmed space', 'a  {{- " b " -}}  c', 'a b c'],
    ['comments', 'a{{/* no }} such */}}b', 'ab'],
    ['if, else if, else', '{{ if .x }}1{{ else if .metadata }}2{{ else }}3{{ end }}', '2'],
    ['range over a list', '{{ range .spec.containers }}<{{ .name }}>{{ end }}', '<a><b>'],
    ['range with index', '{{ range $i, $c := .spec.containers }}{{ $i }}{{ $c.name }}{{ $.metadata.name }} {{ end }}', '0ap 1bp '],
    ['range over a map', '{{ range $k, $v := .metadata.labels }}{{ $k }}={{ $v }}{{ end }}', 'app=web'],
    ['range over nothing', '{{ range .x }}a{{ else }}none{{ end }}', 'none'],
    ['break', '{{ range .spec.containers }}{{ .name }}{{ break }}{{ end }}', 'a'],
    ['with', '{{ with .metadata.labels }}{{ .app }}{{ else }}no{{ end }}', 'web'],
    ['variables of a block end with it', '{{ $a := 1 }}{{ if true }}{{ $a := 2 }}{{ $a }}{{ end }}{{ $a }}', '21'],
    ['assignments go on', '{{ $a := 1 }}{{ if true }}{{ $a = 2 }}{{ end }}{{ $a }}', '2'],
    ['pipes', '{{ .metadata.name | printf "%s-%d" "x" | Quote }}'.replace('%d', '%v'), '"x-p"'],
    ['parentheses and their fields', '{{ (index .spec.containers 1).name }}', 'b'],
    ['and, or look no further', '{{ or .metadata.name (index .x 3) }}{{ and .x (index .x 3) }}', 'p<no value>'],
    ['comparisons', '{{ eq .metadata.name "q" "p" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ not .x }}', 'true true true true'],
    ['printed maps and lists', '{{ .metadata.labels }} {{ .spec.containers }}', 'map[app:web] [map[name:a] map[name:b]]'],
    ['quotes', '{{ Quote .spec.hostNetwork }} {{ quote .metadata.name }} {{ squote "a" }}', '"false" "p" \'a\''],
    ['YAML below a key', 'a:{{ YAML .metadata.labels 1 }}', 'a:\n  app: web\n  '],
    ['numbers', '{{ add 1 2 3 }} {{ sub 5 2 }} {{ mul 2 3 }} {{ div 7 2 }} {{ mod 7 2 }} {{ max 1 9 }}', '6 3 6 3 1 9'],
    ['defaults', '{{ default "d" .x }} {{ .metadata.name | default "d" }} {{ ternary "y" "n" true }} {{ coalesce .x "c" }}', 'd p y c'],
    ['dict', '{{ index (dict "a" "b") "a" }} {{ get (dict) "x" }}{{ hasKey .metadata.labels "app" }}', 'b true'],
    ['strings', '{{ upper "a" }}{{ trimPrefix "a-" "a-b" }}{{ replace "b" "c" "abb" }}{{ join "," (list "x" "y") }}', 'Abaccx,y'],
    ['a template that is defined, before or after', '{{ template "a" .metadata }}{{ define "a" }}<{{ .name }}{{ $.name }}>{{ end }}', '<pp>'],
    ['what it is not given it does not see', '{{ $v := 1 }}{{ define "a" }}{{ .x }}{{ end }}{{ template "a" }}', '<no value>'],
    ['a template in a range', '{{ define "c" }}{{ .name }};{{ end }}{{ range .spec.containers }}{{ template "c" . }}{{ end }}', 'a;b;'],
    ['a block, used again', '{{ block "b" .metadata.name }}B{{ . }}{{ end }}{{ template "b" 7 }}', 'BpB7'],
    ['blocks in blocks', '{{ block "x" .spec }}{{ range .containers }}{{ block "y" .name }}<{{ . }}>{{ end }}{{ end }}{{ end }}', '<a><b>'],
    ['an empty definition gives way', '{{ define "a" }} {{ end }}{{ define "a" }}2{{ end }}{{ define "a" }}{{ end }}{{ template `a` }}', '2'],
    ['raw strings and characters', "{{ `a\"b` }}{{ 'a' }}", 'a"b97'],
  ])('%s', (_name, template, want) => {
    expect(render(template, pod)).toBe(want);
  });

  it.each([
    ['{{ nothing }}', 'function "nothing" not defined'],
    ['{{ if .a }}', 'unexpected EOF'],
    ['{{ end }}', 'unexpected {{end}}'],
    ['{{ .a', 'unclosed action'],
    ['{{ (.a }}', 'unclosed left paren'],
    ['{{ if true }}{{ define "a" }}x{{ end }}{{ end }}', 'unexpected <define> in command'],
    ['{{ define a }}2{{ end }}', 'unexpected "a" in define clause'],
    ['{{ define "a" 1 }}2{{ end }}', 'unexpected "1" in define clause'],
    ['{{ define "a" }}2', 'unexpected EOF'],
    ['{{ define "a" }}{{ else }}{{ end }}', 'unexpected {{else}} in define clause'],
    ['{{ define "a" }}1{{ end }}{{ define "a" }}2{{ end }}', 'multiple definition of template "a"'],
    ['{{ define "a" }}{{ break }}{{ end }}{{ range .spec.containers }}{{ template "a" }}{{ end }}', '{{break}} outside {{range}}'],
    ['{{ continue }}', '{{continue}} outside {{range}}'],
    ['{{ template "nope" }}', 'template "nope" not defined'],
    ['{{ template .metadata }}', 'unexpected "metadata" in template clause'],
    ['{{ template }}', 'unexpected "}}" in template clause'],
    ['{{ block "a" }}2{{ end }}', 'missing value for block clause'],
    ['{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}', 'exceeded maximum template depth (1000)'],
    ['{{ $x }}', 'undefined variable "$x"'],
    ['{{ index .spec.containers 7 }}', 'index out of range: 7'],
    ['{{ index .x 0 }}', 'index of untyped nil'],
    ['{{ .metadata.name.x }}', "can't evaluate field x in type string"],
    ['{{ printf "%x" 1 }}', 'printf knows no %x'],
    ['{{ div 1 0 }}', 'integer divide by zero'],
    ['{{ 1 | 2 }}', "can't give argument to non-function"],
    [`{{ range 40000 }}${'x'.repeat(100)}{{ end }}`, 'the template writes more than 1048576 bytes'],
    ['{{ range 900000 }}{{ end }}', 'the template takes more than 50000 steps'],
    ['{{ range 40000 }}{{ range 40000 }}{{ end }}{{ end }}', 'the template takes more than 50000 steps'],
    ['{{ $a := "x" }}{{ range 60 }}{{ $a = print $a $a }}{{ end }}', 'print gives more than 1048576 bytes'],
    ['{{ $a := list }}{{ range 60 }}{{ $a = list $a $a }}{{ end }}{{ toJson $a }}', 'a value has more than 2000 members'],
    [`${'{{ if 1 }}'.repeat(100)}${'{{ end }}'.repeat(100)}`, 'the template is too deep'],
    [`{{ ${'('.repeat(100)}1${')'.repeat(100)} }}`, 'the template is too deep'],
    ['x'.repeat(70_000), 'the template is longer than 65536 characters'],
  ])('%s is refused', (template, why) => {
    expect(() => render(template, pod)).toThrow(why);
  });
});
