import { render } from 'preact';
import { App } from './app.js';
import { connect } from './state/connection.js';
import './style/style.css';

const root = document.getElementById('app');
if (root !== null) {
  connect();
  render(<App />, root);
}
