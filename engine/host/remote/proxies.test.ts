import { expect, test } from 'vitest';
import { proxyFromEnvironment } from './proxies.ts';

const proxy = 'http://proxy:3128';

test.each([
  ['https://hook.example/', {}, undefined],
  ['https://hook.example/', { HTTPS_PROXY: proxy }, proxy],
  ['http://hook.example/', { HTTPS_PROXY: proxy }, undefined],
  ['http://hook.example/', { http_proxy: proxy }, proxy],
  ['https://hook.example/', { https_proxy: 'proxy:3128' }, proxy],
  ['https://hook.example/', { HTTPS_PROXY: 'socks5://proxy:1080' }, 'socks5://proxy:1080'],
  ['https://localhost:8443/', { HTTPS_PROXY: proxy }, undefined],
  ['https://127.3.0.1:8443/', { HTTPS_PROXY: proxy }, undefined],
  ['https://[::1]:8443/', { HTTPS_PROXY: proxy }, undefined],
  ['https://hook.example/', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ['https://hook.example/', { HTTPS_PROXY: proxy, NO_PROXY: 'a, example' }, undefined],
  ['https://hookexample/', { HTTPS_PROXY: proxy, NO_PROXY: 'example' }, proxy],
  ['https://example/', { HTTPS_PROXY: proxy, NO_PROXY: '.example' }, proxy],
  ['https://hook.example/', { HTTPS_PROXY: proxy, no_proxy: '*.EXAMPLE' }, undefined],
  ['https://hook.example:9443/', { HTTPS_PROXY: proxy, NO_PROXY: 'hook.example:443' }, proxy],
  ['https://hook.example/', { HTTPS_PROXY: proxy, NO_PROXY: 'hook.example:443' }, undefined],
  ['https://10.1.2.3/', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, undefined],
  ['https://11.1.2.3/', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8,10.0.0.0/99,x/8' }, proxy],
  ['https://[fd00::1]/', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::/8' }, undefined],
  ['https://[fd00::1]:9443/', { HTTPS_PROXY: proxy, NO_PROXY: '[fd00::1]:9443' }, undefined],
  ['https://[fd00::1]/', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::1' }, undefined],
])('%s with %j', (url, env, wanted) => {
  expect(proxyFromEnvironment(new URL(url), env)).toBe(wanted);
});
