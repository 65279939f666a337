import { describe, expect, it } from 'vitest';
import { getRelease } from '../releases/releases.ts';
import { enabledPlugins } from './enabled-plugins.ts';
import { Settings } from './settings.ts';

const release = getRelease('1.36');
const before = getRelease('1.13');
if (release === undefined || before === undefined) throw new Error('both releases are there');

describe('options of admission plugins', () => {
  it.each([
    [{ 'enable-admission-plugins': 'PodSecurty' }, 'enable-admission-plugins plugin "PodSecurty" is unknown'],
    [{ 'disable-admission-plugins': 'x' }, 'disable-admission-plugins plugin "x" is unknown'],
    [{ 'enable-admission-plugins': 'SecurityContextDeny' }, 'enable-admission-plugins plugin "SecurityContextDeny" is unknown'],
    [
      { 'enable-admission-plugins': 'PodSecurity,AlwaysDeny', 'disable-admission-plugins': 'AlwaysDeny,PodSecurity' },
      '[AlwaysDeny PodSecurity] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
    [
      { 'enable-admission-plugins': 'EventRateLimit' },
      'failed to apply admission: couldn\'t init admission plugin "EventRateLimit": limits: Invalid value: null: must not be empty',
    ],
  ])('%j are refused', (options, why) => {
    expect(() => new Settings(options, release)).toThrow(why);
  });

  it('may name what is on anyway', () => {
    const settings = new Settings({ 'enable-admission-plugins': 'JobValidation,NodeDeclaredFeatureValidator,PodSecurity' }, release);
    expect(enabledPlugins(release, settings)).toEqual(enabledPlugins(release, new Settings({}, release)));
  });

  it('are asked in the order of the release, whatever the order in which they are named', () => {
    const settings = new Settings(
      { 'enable-admission-plugins': 'AlwaysDeny, AlwaysPullImages,NamespaceExists', 'disable-admission-plugins': 'PodSecurity,Priority' },
      release,
    );
    const names = enabledPlugins(release, settings);
    expect(names.slice(0, 3)).toEqual(['NamespaceLifecycle', 'NamespaceExists', 'LimitRanger']);
    expect(names.slice(-2)).toEqual(['ResourceQuota', 'AlwaysDeny']);
    expect(names).toContain('AlwaysPullImages');
    expect(names).not.toContain('PodSecurity');
  });

  it('are those of the release', () => {
    const settings = new Settings({ 'enable-admission-plugins': 'SecurityContextDeny' }, before);
    expect(enabledPlugins(before, settings)).toContain('SecurityContextDeny');
    expect(enabledPlugins(before, settings)).not.toContain('PodSecurity');
  });
});
